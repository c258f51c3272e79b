"""Requests of several cases with their gold: the scores of what was ranked are the matter."""

import json

import pytest

from jobs.spans import answered, asked, chunks, ranking, span, store
from otel_ragfault import semconv as s
from otel_ragfault.gold import load_gold


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture
def asked_about(con, tmp_path):
    """A function that lands requests: each a mapping with the hits, and perhaps gold and how it was asked."""
    return landing(con, tmp_path)


def landing(con, folder):
    def land(*requests):
        cases = {}
        for number, one in enumerate(requests, 1):
            case_id = one.get("case", f"case-{number}")
            cases[case_id] = {"case_id": case_id, "query": f"what {case_id}?"} | gold_of(one)
            store(con, *spans(number, case_id, one))
        (folder / "gold.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases.values()))
        load_gold(con, folder / "gold.jsonl")

    return land


def gold_of(one):
    if one.get("refuse"):
        return {"expect": "refuse", "evidence": []}
    return {"evidence": one.get("evidence", [["g"]]), "relevance": one.get("relevance", {})}


def spans(number, case_id, one):
    """A request, what it embedded and searched, and its answer."""
    first, kind = number * 10, one.get("kind", "similarity")
    about = asked(f"what {case_id}?") | {s.RAGFAULT_CASE_ID: case_id, s.RAGFAULT_RUN_ID: one.get("run", "monday")}
    found = ranking(*one["hits"], k=3) | ({} if kind is None else {s.RAGFAULT_SCORE_KIND: kind})
    if "source" in one:
        found[s.GEN_AI_DATA_SOURCE_ID] = one["source"]
    rows = [
        span(first, stage="request", trace=number, attributes=about),
        span(first + 1, first, stage="retrieval", trace=number, attributes=found),
        span(first + 4, first, stage="assembly", trace=number, attributes=chunks(*[hit[0] for hit in one["hits"][:3]])),
        span(first + 5, first, stage="generation", trace=number, attributes=answered("yes")),
    ]
    if "reranked" in one:
        rows.insert(2, span(first + 2, first, stage="rerank", trace=number, attributes=ranking(*one["reranked"], k=3)))
    if "model" in one:
        embedding = {s.GEN_AI_REQUEST_MODEL: one["model"]}
        rows.append(span(first + 3, first, operation=s.OPERATION_EMBEDDINGS, trace=number, attributes=embedding))
    return rows
