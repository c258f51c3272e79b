"""A small honest RAG pipeline over a fictional travel policy, instrumented with the decorators.

Retriever: BM25 of the package rank-bm25 over fourteen chunks; it returns the full ranking with scores. Assembly: takes
ranked chunks in order and stops at the first that does not fit the word budget. Generator: a deterministic stub that
copies one sentence out of the first prompt chunk that shares at least two content words with the question, and declines
when no chunk does. That habit is built in so that failures can be reproduced; it says nothing about any model.

Nothing here knows a label. The labels come out of the traces.
"""

import json
import re
from pathlib import Path

from rank_bm25 import BM25Okapi

import otel_ragfault as rag

FOLDER = Path(__file__).resolve().parent
SNAPSHOT = "travel-policy-1"
REFUSAL = "The travel policy does not say."
K = 2
BUDGET = 50
ENOUGH_WORDS = 2
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are at be by can do does for get how i if in is it my no not of on once one or so than that the "
        "their to up was what when which who with your",
    )
)


def read_jsonl(name: str) -> list[dict]:
    """Return the objects of a file of this folder, one a line."""
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def content_words(text: str) -> list[str]:
    """Return the words of a text that carry meaning, lower case."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in _FUNCTION_WORDS]


CHUNKS: dict[str, str] = {chunk["chunk_id"]: chunk["text"] for chunk in read_jsonl("corpus.jsonl")}
_IDS = list(CHUNKS)
_INDEX = BM25Okapi([content_words(text) for text in CHUNKS.values()])


@rag.retrieval(data_source="travel-policy", score_kind="bm25", complete=True, k="k")
def search(question: str, k: int) -> list[tuple[str, float]]:
    """Return every chunk with its BM25 score, best first; ties keep the order of the corpus."""
    scores = _INDEX.get_scores(content_words(question))
    order = sorted(range(len(_IDS)), key=lambda i: -scores[i])
    return [(_IDS[i], float(scores[i])) for i in order]


@rag.assembly(budget="budget", budget_unit="words", k="k")
def assemble(ranked: list[tuple[str, float]], k: int, budget: int) -> dict:
    """Return the ids that fit the budget, in order, and what was left out."""
    shown: list[str] = []
    used = 0
    top = [chunk_id for chunk_id, _ in ranked[:k]]
    for chunk_id in top:
        size = len(CHUNKS[chunk_id].split())
        if used + size > budget:
            break
        shown.append(chunk_id)
        used += size
    return {"chunks": shown, "dropped": [(chunk_id, "budget") for chunk_id in top[len(shown) :]]}


@rag.generation(model="anchored-stub", prompt="prompt")
def generate(prompt: str, question: str, chunks: dict[str, str]) -> dict:
    """Return the answer of the stub and the id of the chunk that it was copied from."""
    asked = set(content_words(question))
    for chunk_id, text in chunks.items():
        if len(asked & set(content_words(text))) >= ENOUGH_WORDS:
            sentences = re.split(r"(?<=\.)\s", text)
            best = max(sentences, key=lambda sentence: len(asked & set(content_words(sentence))))
            return {"answer": best, "citations": [chunk_id]}
    return {"answer": REFUSAL, "citations": []}


def prompt_of(question: str, chunks: dict[str, str]) -> str:
    """Return the prompt as a model would get it."""
    context = "\n".join(f"[{chunk_id}] {text}" for chunk_id, text in chunks.items())
    return f"Answer from the travel policy only, or say that it does not say.\n\n{context}\n\nQuestion: {question}"


@rag.request(case_id=lambda call: call["case_id"], run_id=lambda call: call["run_id"], snapshot_id=SNAPSHOT)
def ask(question: str, case_id: str | None = None, run_id: str = "original", k: int = K, budget: int = BUDGET) -> str:
    """Answer a question: search, assemble, generate."""
    shown = assemble(search(question, k), k, budget)["chunks"]
    chunks = {chunk_id: CHUNKS[chunk_id] for chunk_id in shown}
    return generate(prompt_of(question, chunks), question, chunks)["answer"]


def answer_from(question: str, chunks: list) -> dict:
    """Answer a question from the given chunks in the given order: what ``ragfault probe --generator`` calls."""
    texts = {chunk.id: chunk.text for chunk in chunks}
    return generate(prompt_of(question, texts), question, texts)
