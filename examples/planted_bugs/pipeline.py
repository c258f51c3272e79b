"""A RAG pipeline over the handbook, instrumented, with one switch for each boundary at which it can be broken.

Retriever: BM25 of the package rank-bm25, which returns the full ranking. Assembly: ranked chunks in order, up to a
budget of words. Generator: for each part of the question, the sentence of the prompt that shares most words with it,
the first of equals; it declines when a part is not covered. No model is called, so that a run repeats itself exactly
and every difference between two runs is the switch.

Nothing here knows a label.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from handbook import chunks
from rank_bm25 import BM25Okapi

import otel_ragfault as rag

REFUSAL = "The handbook does not say."
COVERED = 0.75
_FUNCTION_WORDS = frozenset(
    re.findall(r"\w+", "a an and are at because does for in is it may of on the there to what when")
)


@dataclass(frozen=True)
class Settings:
    """How the pipeline works. Each of ``BUGS`` changes one of these and nothing else."""

    without: str | None = None
    words: str = "normal"
    k: int = 4
    budget: int = 60
    reverse: bool = False
    cite: bool = True
    abstain: bool = True

    @property
    def snapshot(self) -> str:
        """The corpus as it is indexed."""
        return "handbook" if self.without is None else f"handbook-without-{self.without}"


BUGS: dict[str, Settings] = {
    "index a section away": Settings(without="photos"),
    "break the tokenizer": Settings(words="raw"),
    "lower k": Settings(k=1),
    "shrink the budget": Settings(budget=15),
    "reverse the prompt order": Settings(reverse=True),
    "drop citations": Settings(cite=False),
    "disable abstention": Settings(abstain=False),
}


def words_of(text: str) -> list[str]:
    """Return the words of a text that carry meaning, in lower case, without a final s."""
    return [word.removesuffix("s") for word in re.findall(r"\w+", text.lower()) if word not in _FUNCTION_WORDS]


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {"normal": words_of, "raw": str.split}


class Pipeline:
    """The pipeline with its index."""

    def __init__(self, settings: Settings, run_id: str) -> None:
        self.settings = settings
        self.run_id = run_id
        self.texts = {chunk["chunk_id"]: chunk["text"] for chunk in chunks(settings.without)}
        self.tokens = TOKENIZERS[settings.words]
        self.index = BM25Okapi([self.tokens(text) for text in self.texts.values()])

    def ask(self, question: str, case_id: str) -> str:
        """Answer a question: search, assemble, generate."""
        with rag.request(case_id=case_id, run_id=self.run_id, snapshot_id=self.settings.snapshot) as request:
            request.record_query(question)
            shown = self.assemble(self.search(question))
            answer = self.generate(question, shown)
            request.record_answer(answer)
        return answer

    def search(self, question: str) -> list[tuple[str, float]]:
        """Return every chunk with its score, best first; ties keep the order of the corpus."""
        k = self.settings.k
        with rag.retrieval(data_source="handbook", score_kind="bm25", complete=True, k=k) as stage:
            scores = self.index.get_scores(self.tokens(question))
            ids = list(self.texts)
            ranked = [(ids[i], float(scores[i])) for i in sorted(range(len(ids)), key=lambda i: -scores[i])]
            stage.record_query(question)
            stage.record_documents(ranked)
        return ranked

    def assemble(self, ranked: list[tuple[str, float]]) -> list[str]:
        """Return the ids that fit the budget, in prompt order."""
        settings = self.settings
        with rag.assembly(budget=settings.budget, budget_unit="words", k=settings.k) as stage:
            shown: list[str] = []
            top = [chunk_id for chunk_id, _ in ranked[: settings.k]]
            used = 0
            for chunk_id in top:
                used += len(self.texts[chunk_id].split())
                if used > settings.budget:
                    break
                shown.append(chunk_id)
            dropped = [(chunk_id, "budget") for chunk_id in top[len(shown) :]]
            shown = shown[::-1] if settings.reverse else shown
            stage.record_chunks(shown, dropped=dropped)
        return shown

    def generate(self, question: str, shown: list[str]) -> str:
        """Return the answer of the stub."""
        with rag.generation(model="copying-stub") as stage:
            stage.record_prompt(self.prompt(question, shown))
            answer, cited = copied(question, {chunk_id: self.texts[chunk_id] for chunk_id in shown}, self.settings)
            stage.record_answer(answer, citations=cited)
        return answer

    def prompt(self, question: str, shown: list[str]) -> str:
        """Return the prompt as a model would get it."""
        context = "\n".join(f"[{chunk_id}] {self.texts[chunk_id]}" for chunk_id in shown)
        return f"Answer from the handbook only, or say that it does not say.\n\n{context}\n\nQuestion: {question}"


def copied(question: str, texts: dict[str, str], settings: Settings) -> tuple[str, list[str]]:
    """Return the answer that is copied from texts, in prompt order, and the ids that it cites."""
    parts = [best(part, texts) for part in re.split(r",? and (?=what)", question)]
    chosen = [chunk_id for _, chunk_id in parts if chunk_id is not None]
    covered = all(share >= COVERED for share, _ in parts)
    if not chosen or (settings.abstain and not covered):
        return REFUSAL, []
    return " ".join(texts[chunk_id] for chunk_id in chosen), chosen if settings.cite else []


def best(part: str, texts: dict[str, str]) -> tuple[float, str | None]:
    """Return how much of a part of the question the best text covers, and its id; the first of equals."""
    asked = set(words_of(part))
    shares = [(len(asked & set(words_of(text))) / len(asked), chunk_id) for chunk_id, text in texts.items()]
    return max(shares, key=lambda share: share[0], default=(0.0, None))


def answer_from(question: str, chunks: list) -> dict:
    """Answer from the given chunks: the generator alone, for ``ragfault probe``."""
    answer, cited = copied(question, {chunk.id: str(chunk) for chunk in chunks}, Settings())
    return {"answer": answer, "citations": cited}
