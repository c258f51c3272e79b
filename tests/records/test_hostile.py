"""Traces that nobody sends in good faith: building them takes its time in proportion to their size, and ends."""

import time

import pytest

from jobs.spans import answered, asked, built, pipeline, ranking, span
from otel_ragfault import semconv as s

STAGES = (s.STAGE_REQUEST, s.STAGE_RETRIEVAL, s.STAGE_RERANK, s.STAGE_ASSEMBLY, s.STAGE_GENERATION)
SECONDS = 20  # of the processor; quadratic work takes minutes


@pytest.fixture
def con(memory_factory):
    return memory_factory()


def ids(count):
    return [f"c{number}" for number in range(count)]


def merged(count):
    """Three deep rankings of one request."""
    return [
        span(1, stage="request", attributes=asked("why?")),
        *(span(place, 1, stage="retrieval", attributes=ranking(*ids(count), k=5)) for place in (2, 3, 4)),
    ]


def near_duplicates(count):
    """A deep ranking of chunks that are nearly the same, and a prompt that is made of one of them."""
    documents = {}
    for number in range(count):
        documents[f"retrieval.documents.{number}.document.id"] = f"c{number}"
        documents[f"retrieval.documents.{number}.document.content"] = f"text number {number} is here for all of us"
    call = {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.content": "text number 1 is here for all of us\n" * 200,
        "llm.output_messages.0.message.content": "yes",
    }
    return [
        span(1, attributes={"openinference.span.kind": "CHAIN", "input.value": "why?"}),
        span(2, 1, attributes={"openinference.span.kind": "RETRIEVER", "input.value": "why?", **documents}),
        span(3, 1, attributes=call),
    ]


def circle(count):
    """Every span is inside of the next."""
    return [span(at + 1, (at + 1) % count + 1, stage="retrieval", attributes=ranking("a")) for at in range(count)]


def cut(count):
    """Content that a limit of the sender cut in the middle of its JSON."""
    said = {s.GEN_AI_INPUT_MESSAGES: '[{"role":"user","parts":[{"type":"te', s.GEN_AI_OUTPUT_MESSAGES: "[[["}
    return [span(at + 1, trace=at + 1, stage="generation", attributes=said) for at in range(count)]


def deep(count):
    """Every retrieval is inside of the one before."""
    return [span(at + 1, at or None, stage="retrieval" if at else "request") for at in range(count)]


def many(count):
    return [row for at in range(count) for row in pipeline(1 + at * 4)]


@pytest.mark.parametrize(
    ("rows", "requests"),
    [
        (merged(20_000), 1),
        (near_duplicates(5_000), 1),
        (circle(10_000), 1),
        (deep(5_000), 1),
        (cut(2_000), 2_000),
        (many(500), 500),
    ],
    ids=["deep rankings", "near-duplicates", "circle", "deep nesting", "JSON that was cut", "many requests in a trace"],
)
def test_hostile_traces_are_built_in_time(con, rows, requests):
    started = time.process_time()
    assert len(built(con, *rows)) == requests
    assert time.process_time() - started < SECONDS


def test_lists_that_are_merged_stay_parallel_where_scores_are_missing(con):
    rows = [
        span(1, stage="request", attributes=asked("why?") | answered("so")),
        span(2, 1, stage="retrieval", attributes=ranking(("a", 0.5), "b", k=2)),
        span(3, 1, stage="retrieval", attributes=ranking("c", ("a", 0.7), k=2)),
    ]
    (request,) = built(con, *rows)
    assert list(zip(request["ranked_ids"], request["ranked_scores"], strict=True)) == [
        ("a", 0.5),
        ("c", None),
        ("b", None),
    ]


@pytest.mark.parametrize(
    "value", [None, 10**30, -1.5, True, [], {}, {"$double": "NaN"}, "", "[", "null", "9" * 400], ids=repr
)
def test_values_of_any_type_stop_no_build(con, value):
    names = [name for name in vars(s).values() if isinstance(name, str) and name.startswith(("gen_ai.", "ragfault."))]
    said = dict.fromkeys([*names, "gen_ai.request.top_k", "session.id", "metadata"], value)
    places = [(stage, operation) for stage in (*STAGES, None) for operation in (None, "chat", "retrieval")]
    rows = [
        span(at, trace=at, stage=stage, operation=operation, attributes=said)
        for at, (stage, operation) in enumerate(places, start=1)
    ]
    assert len(built(con, *rows)) >= len(STAGES) * 3
