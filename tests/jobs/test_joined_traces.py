"""Traces that complete each other are one request; everything else stays apart, whatever arrives when."""

import random
import uuid

import pytest

from jobs.spans import answered, asked, chunks, pipeline, ranking, requests, span, store
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.sql import read_query

SESSION = {"session.id": "s-1"}
CASE = {s.RAGFAULT_CASE_ID: "case-1"}


def retrieval(trace, *, at, said=SESSION | CASE, hits=("a", "b"), text="why?", **more):
    """A trace that holds a retrieval alone."""
    searched = {s.GEN_AI_RETRIEVAL_QUERY_TEXT: text} if text else {}
    return span(
        trace * 10, operation="retrieval", trace=trace, at=at, attributes=ranking(*hits) | searched | said, **more
    )


def generation(trace, *, at, said=SESSION | CASE, answer="because", **more):
    """A trace that holds a call of the model alone."""
    attributes = asked("the prompt") | answered(answer) | said
    return span(trace * 10, operation="chat", trace=trace, at=at, attributes=attributes, **more)


def assembly(trace, *, at, said=SESSION | CASE):
    return span(trace * 10, stage="assembly", trace=trace, at=at, attributes=chunks("a") | said)


def asks(trace, *, at, text, said=SESSION, answer="because"):
    """A trace of a workflow that calls the model and retrieves nothing."""
    return [
        span(trace * 10, operation="invoke_workflow", trace=trace, at=at, attributes=asked(text) | said),
        span(trace * 10 + 1, trace * 10, operation="chat", trace=trace, at=at + 0.1, attributes=answered(answer)),
    ]


def traces(*rows):
    return [row for one in rows for row in (one if isinstance(one, list) else [one])]


def shape(con):
    """Which traces each request is made of."""
    found = con.execute("SELECT coalesce(trace_ids, [trace_id]) FROM request ORDER BY started_at, trace_id").fetchall()
    return [[trace.int for trace in traces_of] for (traces_of,) in found]


def session(name, **more):
    return {"gen_ai.conversation.id": name, **CASE, **more}


def test_a_retrieval_and_the_answer_to_it_in_another_trace_are_one_request(con):
    store(con, retrieval(1, at=0), generation(2, at=1))
    build_requests(con)
    [found] = requests(con)
    assert found["request_id"] == found["trace_id"] == uuid.UUID(int=1)
    assert found["trace_ids"] == [uuid.UUID(int=1), uuid.UUID(int=2)]
    assert (found["ranked_ids"], found["answer"], found["prompt_text"]) == (["a", "b"], "because", "the prompt")
    assert (found["session_id"], found["case_id"], found["query"], found["spans"]) == ("s-1", "case-1", "why?", 2)
    assert not {"ranking", "answer"} & set(found["missing"])


TOGETHER = {
    "conversation id": ([retrieval(1, at=0, said=session("c")), generation(2, at=1, said=session("c"))], [[1, 2]]),
    "three parts": ([retrieval(1, at=0), assembly(2, at=1), generation(3, at=2)], [[1, 2, 3]]),
    "the same question": ([retrieval(1, at=0, said=SESSION), asks(2, at=1, text="  why? ")], [[1, 2]]),
    "one question after another": (
        [retrieval(1, at=0), generation(2, at=1), retrieval(3, at=2), generation(4, at=3)],
        [[1, 2], [3, 4]],
    ),
    "a retrieval that was tried twice": ([retrieval(1, at=0), retrieval(2, at=1), generation(3, at=2)], [[1], [2, 3]]),
    "a second answer to one retrieval": ([retrieval(1, at=0), generation(2, at=1), generation(3, at=2)], [[1, 2], [3]]),
    "beside a whole request": ([*pipeline(51, trace=5), retrieval(1, at=90), generation(2, at=91)], [[5], [1, 2]]),
}
APART = {
    "no session": [retrieval(1, at=0, said=CASE), generation(2, at=1, said=CASE)],
    "a session on one side": [retrieval(1, at=0), generation(2, at=1, said=CASE)],
    "two sessions": [retrieval(1, at=0, said=session("c")), generation(2, at=1, said=session("d"))],
    "a session alone": [retrieval(1, at=0, said=SESSION), generation(2, at=1, said=SESSION)],
    "two cases": [retrieval(1, at=0), generation(2, at=1, said=SESSION | {s.RAGFAULT_CASE_ID: "case-2"})],
    "two runs": [retrieval(1, at=0, said=session("c", run_id="r")), generation(2, at=1, said=session("c", run_id="q"))],
    "two questions": [retrieval(1, at=0, said=SESSION), asks(2, at=1, text="how?")],
    "the answer before the retrieval": [generation(1, at=0), retrieval(2, at=1)],
    "two of a kind": [retrieval(1, at=0), retrieval(2, at=1)],
    "overlapping questions": [retrieval(1, at=0), retrieval(2, at=1), generation(3, at=2), generation(4, at=3)],
    "a day later": [retrieval(1, at=0), generation(2, at=86_400)],
    "whole requests": [
        [row._replace(attributes=row.attributes[:-1] + ', "session.id": "s-1"}') for row in pipeline(trace * 10, trace=trace)]
        for trace in (1, 2)
    ],
    "a trace of two requests": [
        *[span(100, trace=1, at=0), *pipeline(1, parent=100), *pipeline(11, parent=100)],
        generation(2, at=50),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("parts", "expected"), TOGETHER.values(), ids=TOGETHER)
def test_parts_that_complete_each_other_are_joined(con, parts, expected):
    store(con, *traces(*parts))
    build_requests(con)
    assert shape(con) == expected


@pytest.mark.parametrize("parts", APART.values(), ids=APART)
def test_what_nothing_tells_to_belong_together_stays_apart(con, parts):
    store(con, *traces(*parts))
    build_requests(con)
    assert con.execute("SELECT count(*) FROM request WHERE trace_ids IS NOT NULL").fetchone() == (0,)
    assert len(requests(con)) >= len({row.trace_id for row in traces(*parts)})


def mixed():
    """The spans of everything above in one database: sessions and traces of their own."""
    for number, parts in enumerate([*(parts for parts, _ in TOGETHER.values()), *APART.values()], start=1):
        for row in traces(*parts):
            attributes = row.attributes
            for name in ("s-1", "c", "d"):
                attributes = attributes.replace(f'"{name}"', f'"{name} of {number}"')
            trace = number * 1_000 + int.from_bytes(row.trace_id)
            yield row._replace(attributes=attributes, trace_id=trace.to_bytes(16))


@pytest.mark.parametrize("order", range(3))
def test_parts_that_come_in_any_order_give_what_all_at_once_give(con, memory_factory, order):
    rows = list(mixed())
    store(con, *rows)
    build_requests(con)
    random.Random(order).shuffle(rows)  # noqa: S311 - an order, not a secret
    piecemeal = memory_factory()
    for start in range(0, len(rows), 7):
        store(piecemeal, *rows[start : start + 7])
        build_requests(piecemeal)
    assert known(piecemeal) == known(con)
    build_requests(piecemeal, anew=True, traces_at_a_time=9)
    assert known(piecemeal) == known(con)


def known(con):
    found = requests(con)
    for request in found:
        del request["built_at"]
    return found


def test_a_late_span_that_names_another_case_takes_a_part_out_again(con):
    rows = [span(11, trace=1, at=0), retrieval(2, at=0, said=SESSION), asks(3, at=1, text="why?")]
    store(con, *traces(*rows))
    build_requests(con)
    assert shape(con) == [[2, 3]]
    store(con, span(21, 20, trace=2, at=2, attributes={s.RAGFAULT_CASE_ID: "another"}))
    build_requests(con)
    assert shape(con) == [[2], [3]]


def test_a_request_is_found_by_each_of_its_traces(con):
    store(con, retrieval(1, at=0), generation(2, at=1))
    build_requests(con)
    find = read_query("card", "request").body
    first, second = (
        con.execute(find, {"needle": str(uuid.UUID(int=trace)), "limit": None}).fetchall() for trace in (1, 2)
    )
    assert len(first) == 1
    assert first == second


def test_what_a_person_said_of_a_part_is_kept_for_the_whole(con):
    store(con, generation(2, at=1))
    build_requests(con)
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'answer' AS subject, FALSE AS value, 'human' AS source, "
        "'ann' AS judge, '' AS config, now()::TIMESTAMP AS judged_at FROM request"
    )
    store(con, retrieval(1, at=0))
    build_requests(con)
    assert con.execute("SELECT trace_id, value FROM verdict JOIN request USING (request_id)").fetchall() == [
        (uuid.UUID(int=1), False)
    ]
