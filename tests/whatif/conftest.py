"""A request of one gold case, and its replay."""

import json

import pytest

from jobs.spans import answered, asked, chunks, ranking, span, store
from otel_ragfault import semconv as s
from otel_ragfault.corpus import load_corpus
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.replaying import Grid, replay
from otel_ragfault.model import Config

CASE = {"case_id": "case-1", "query": "why?", "evidence": [["a"]], "answer": {"must_contain": ["yes"]}}


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture
def recorded(con, tmp_path):
    """A function that lands one request, its gold and (where texts are given) its corpus."""
    return recording(con, tmp_path)


def recording(con, folder):
    """Return a function that lands one request in a database; files are written to a folder."""

    def record(hits, shown, *, k=2, texts=None, case=None, answer="no", failed=False, **more):
        write_lines(folder / "gold.jsonl", [{**CASE, **(case or {})}])
        load_gold(con, folder / "gold.jsonl")
        if texts is not None:
            write_lines(folder / "corpus.jsonl", [{"chunk_id": name, "text": text} for name, text in texts.items()])
            load_corpus(con, folder / "corpus.jsonl")
        store(con, *spans(hits, shown, k, answer, failed, more))

    return record


def write_lines(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def scored(hits, k, scores=None, kind=s.SCORE_SIMILARITY):
    pairs = list(zip(hits, scores or [1 / rank for rank, _ in enumerate(hits, 1)], strict=True))
    return ranking(*pairs, k=k) | ({} if kind is None else {s.RAGFAULT_SCORE_KIND: kind})


def spans(hits, shown, k, answer, failed, more):
    whole = {s.RAGFAULT_RETRIEVAL_COMPLETE: more["complete"]} if "complete" in more else {}
    budget = {s.RAGFAULT_ASSEMBLY_BUDGET: more["budget"]} if "budget" in more else {}
    if budget:
        budget[s.RAGFAULT_ASSEMBLY_BUDGET_UNIT] = more.get("unit", "words")
    how = {name: more[name] for name in ("scores", "kind") if name in more}
    about = asked("why?") | {s.RAGFAULT_CASE_ID: "case-1"}
    found = [
        span(1, stage="request", attributes=about, failed=failed),
        span(
            2,
            1,
            stage="retrieval",
            attributes={} if hits is None else scored(hits, k, **how) | whole,
            dropped=more.get("dropped", 0),
        ),
        span(4, 1, stage="assembly", attributes=({} if shown is None else chunks(*shown)) | budget),
        span(5, 1, stage="generation", attributes={} if answer is None else answered(answer), failed=failed),
    ]
    if "reranked" in more:
        found.insert(2, span(3, 1, stage="rerank", attributes=ranking(*more["reranked"], k=k)))
    return found


@pytest.fixture
def replayed(con):
    """A function that replays the one request under one setting."""

    def run(k=None, budget=None, *, unit=None, config=None, tokenizer=None, generation=None, **tried):
        parts = {f"{name}s": (value,) for name, value in {"k": k, "budget": budget, **tried}.items()}
        grid = Grid(**parts, unit=unit)
        (row,) = replay(con, config or Config(), grid, tokenizer=tokenizer, generation=generation)
        return row

    return run
