"""Spans become requests: which span belongs where, whatever arrives when."""

import random
import uuid

import pytest

from jobs.spans import answered, built, pipeline, ranking, requests, span, store
from otel_ragfault.jobs.build import Built, build_requests


def test_the_four_spans_of_a_pipeline_are_one_request(con):
    (request,) = built(con, *pipeline())
    assert {
        name: request[name] for name in ("case_id", "query", "ranked_ids", "k", "prompt_ids", "answer", "spans")
    } == {
        "case_id": "case-1",
        "query": "why?",
        "ranked_ids": ["a", "b"],
        "k": 2,
        "prompt_ids": ["a"],
        "answer": "yes",
        "spans": 4,
    }
    assert request["assembly_source"] == "explicit"
    assert request["convention"] == "ragfault"
    assert request["request_id"] == request["trace_id"] == uuid.UUID(int=1)


def test_several_questions_in_one_trace_are_several_requests(con):
    batch = [span(100), *pipeline(1, parent=100, case="x"), *pipeline(11, parent=100, case="y", answer="no")]
    first, second = built(con, *batch)
    assert [(r["case_id"], r["answer"], r["spans"]) for r in (first, second)] == [("x", "yes", 4), ("y", "no", 4)]
    assert first["request_id"] != second["request_id"]


def test_a_request_inside_a_request_is_one_of_its_own(con):
    outer, inner = built(con, *pipeline(1, case="x"), *pipeline(11, parent=4, case="y", hits=("z",)))
    assert (outer["case_id"], outer["ranked_ids"]) == ("x", ["a", "b"])
    assert (inner["case_id"], inner["ranked_ids"]) == ("y", ["z"])


@pytest.mark.parametrize("seed", range(8))
def test_order_and_batches_of_arrival_do_not_matter(con, memory_factory, seed):
    rows = [span(100), *pipeline(1, parent=100, case="x"), *pipeline(11, parent=100, case="y"), *pipeline(21, trace=2)]
    at_once = built(con, *rows)
    shuffled = random.Random(seed)  # noqa: S311 - an order, not a secret
    shuffled.shuffle(rows)
    cuts = sorted(shuffled.sample(range(1, len(rows)), 3))
    piecemeal = memory_factory()
    for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        result = built(piecemeal, *rows[start:end])
    for request in [*at_once, *result]:
        del request["built_at"]
    assert result == at_once


def test_a_late_span_rebuilds_its_request_under_the_same_id_and_leaves_the_others_alone(con):
    early, other = built(con, *pipeline()[:3], *pipeline(21, trace=2))
    assert early["answer"] is None
    store(con, pipeline()[3])
    assert build_requests(con) == Built(traces=1, requests=1)
    late, same = requests(con)
    assert (late["request_id"], late["answer"]) == (early["request_id"], "yes")
    assert same == other


def test_building_again_without_new_spans_does_nothing(con):
    built(con, *pipeline())
    assert build_requests(con) == Built(0, 0)


def test_many_traces_are_built_in_bounded_batches(con):
    store(con, *[row for trace in range(1, 26) for row in pipeline(trace=trace)])
    assert build_requests(con, traces_at_a_time=10) == Built(25, 25)
    assert len(requests(con)) == 25


def test_a_span_whose_parent_never_arrived_belongs_to_the_only_request_of_its_trace(con):
    rows = pipeline()
    lost_parent = span(9, 777, stage="rerank", attributes=ranking("b", "a"))
    (request,) = built(con, *rows, lost_parent)
    assert (request["ranked_ids"], request["candidate_ids"]) == (["b", "a"], ["a", "b"])


def test_a_span_beside_the_request_under_the_same_parent_is_not_its_own(con):
    judge = span(50, 100, operation="chat", at=99, attributes=answered("score: 5"))
    (request,) = built(con, span(100, 999), *pipeline(1, parent=100), judge)
    assert request["answer"] == "yes"


def test_parents_in_a_circle_still_make_a_request(con):
    first = span(1, 2, stage="retrieval", attributes=ranking("a"))
    (request,) = built(con, first, span(2, 1, stage="generation", attributes=answered("x")))
    assert (request["ranked_ids"], request["answer"]) == (["a"], "x")


def test_a_trace_without_any_stage_is_no_request(con):
    assert built(con, span(1), span(2, 1)) == []


def test_a_span_that_is_sent_again_with_another_start_and_parent_counts_once(con):
    store(
        con,
        span(1, stage="request", at=1),
        span(5, 1, at=2),
        span(6, 5, at=3, stage="retrieval", attributes=ranking("a")),
    )
    (request,) = built(con, span(5, 6, at=400_000))
    assert (request["ranked_ids"], request["spans"]) == (["a"], 3)


def test_a_judge_under_the_parent_that_the_request_has_elsewhere_is_not_its_own(con):
    judge = span(50, 999, operation="chat", at=99, attributes=answered("score: 5"))
    (request,) = built(con, *pipeline(1, parent=999), judge)
    assert request["answer"] == "yes"


def test_verdicts_and_labels_follow_a_request_whose_id_changes(con):
    store(con, span(100), *pipeline(parent=100))
    build_requests(con)
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'answer' AS subject, FALSE AS value, 'human' AS source, 'ann' AS config, now() AS judged_at FROM request"
    )
    con.execute(
        "INSERT INTO label BY NAME SELECT 'run' AS run_id, request_id, case_id, 'pass' AS label, 'correct' AS outcome, "
        "FALSE AS latent, 'v' AS gold_version, '{}'::JSON AS detail FROM request"
    )
    store(con, *pipeline(11, parent=100, case="case-2"))
    build_requests(con)
    judged = con.execute("SELECT case_id, value FROM verdict JOIN request USING (request_id)").fetchall()
    assert judged == [("case-1", False)]
    assert con.execute("SELECT case_id, label FROM current_label").fetchall() == [("case-1", "pass")]
