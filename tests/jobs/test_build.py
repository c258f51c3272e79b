"""Spans become requests: which span belongs where, and what is taken from it."""

import json
import random
import uuid

import pytest

from jobs.spans import answered, asked, chunks, pipeline, ranking, requests, span, store
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import Built, build_requests
from otel_ragfault.landing import decode_json, land, to_table
from paths import RECORDINGS


def built(con, *rows):
    store(con, *rows)
    build_requests(con)
    return requests(con)


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


# --- retrievals ----------------------------------------------------------------------------------------------------


def test_parallel_retrievals_are_merged_by_best_rank_and_k_counts_what_was_within_any_k(con):
    hybrid = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking(("a", 9.0), ("b", 8.0), ("c", 7.0), k=2)),
        span(3, 1, stage="retrieval", attributes=ranking(("b", 0.9), ("d", 0.8), ("a", 0.7), k=2)),
    ]
    (request,) = built(con, *hybrid)
    assert request["ranked_ids"] == ["a", "b", "d", "c"]
    assert request["ranked_scores"] == [9.0, 0.9, 0.8, 7.0]
    assert request["k"] == 3
    assert request["score_kind"] is None


def test_one_retrieval_that_was_not_recorded_makes_the_merged_ranking_unknown_not_shorter(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking("a")),
        span(3, 1, stage="retrieval"),
    ]
    (request,) = built(con, *rows)
    assert request["ranked_ids"] is None
    assert "ranking" in request["missing"]


def test_a_retrieval_inside_a_retrieval_does_not_count_twice(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking("a", "b")),
        span(3, 2, stage="retrieval", attributes=ranking("x", "y")),
    ]
    (request,) = built(con, *rows)
    assert request["ranked_ids"] == ["a", "b"]


def test_a_retried_retrieval_counts_once(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", failed=True),
        span(3, 1, stage="retrieval", attributes=ranking("a")),
    ]
    (request,) = built(con, *rows)
    assert (request["ranked_ids"], request["error_stage"]) == (["a"], None)


def test_recorded_order_is_the_rank_and_hits_without_id_and_doubles_keep_their_place(con):
    hits = [("b", 0.1), (None, 0.9), ("b", 0.5), ("a", None)]
    (request,) = built(con, span(1, stage="retrieval", attributes=ranking(*hits)))
    assert request["ranked_ids"] == ["b", None, "b", "a"]
    assert request["ranked_scores"] == [0.1, 0.9, 0.5, None]


def test_an_empty_ranking_is_recorded_and_a_missing_one_is_not(con):
    empty, missing = built(
        con,
        span(1, stage="retrieval", attributes=ranking()),
        span(2, stage="retrieval", trace=2),
    )
    assert (empty["ranked_ids"], missing["ranked_ids"]) == ([], None)
    assert "ranking" not in empty["missing"]


# --- what limits and switches leave --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attribute", "column", "field"),
    [
        pytest.param(s.GEN_AI_RETRIEVAL_DOCUMENTS, "ranked_ids", "ranking", id="ranking"),
        pytest.param(s.RAGFAULT_ASSEMBLY_CHUNK_IDS, "prompt_ids", "prompt_ids", id="prompt ids"),
        pytest.param(s.GEN_AI_OUTPUT_MESSAGES, "answer", "answer", id="answer"),
    ],
)
def test_json_that_a_length_limit_cut_is_not_recorded_and_named(con, attribute, column, field):
    whole = pipeline(hits=[(f"chunk-{i}", 1.0) for i in range(50)], shown=("chunk-0",), answer="a long answer")

    def cut(row):
        said = json.loads(row.attributes)
        if attribute in said:
            said[attribute] = said[attribute][: len(said[attribute]) * 2 // 3]
        return row._replace(attributes=json.dumps(said))

    (request,) = built(con, *map(cut, whole))
    assert request[column] is None
    assert {field, f"cut.{field}"} <= set(request["missing"])


def test_dropped_attributes_of_a_stage_are_named(con):
    rows = pipeline()
    rows[1] = rows[1]._replace(dropped_attributes_count=76, attributes=json.dumps({s.RAGFAULT_STAGE: "retrieval"}))
    (request,) = built(con, *rows)
    assert {"dropped_attributes", "ranking"} <= set(request["missing"])


# --- generation and errors -----------------------------------------------------------------------------------------


def test_a_model_client_inside_our_generation_tells_model_and_usage_but_not_another_answer(con):
    inner = span(
        9,
        4,
        operation="chat",
        attributes={
            s.GEN_AI_REQUEST_MODEL: "m-1",
            s.GEN_AI_RESPONSE_ID: "r-1",
            s.GEN_AI_USAGE_INPUT_TOKENS: 12,
            s.GEN_AI_RESPONSE_FINISH_REASONS: ["stop"],
            **answered("raw"),
        },
    )
    (request,) = built(con, *pipeline(), inner)
    assert request["answer"] == "yes"
    assert (request["request_model"], request["response_id"], request["input_tokens"]) == ("m-1", "r-1", 12)
    assert request["finish_reasons"] == ["stop"]


@pytest.mark.parametrize(
    ("failing", "stage"),
    [
        pytest.param({2}, "retrieval", id="retrieval"),
        pytest.param({4}, "generation", id="generation"),
        pytest.param({2, 4}, "retrieval", id="the earlier of two"),
        pytest.param({1}, "request", id="request"),
    ],
)
def test_the_first_stage_of_the_pipeline_that_ended_in_error_is_named(con, failing, stage):
    rows = [row._replace(status_code=2, status_message="boom") if row.span_id in failing else row for row in pipeline()]
    (request,) = built(con, *rows)
    assert (request["error_stage"], request["error_message"]) == (stage, "boom")


def test_reranking_keeps_the_first_stage_as_candidates(con):
    rows = pipeline(hits=(("a", 2.0), ("b", 1.0)))
    rows.insert(2, span(9, 1, stage="rerank", attributes=ranking("b", "a", k=1)))
    (request,) = built(con, *rows)
    assert (request["candidate_ids"], request["candidate_scores"]) == (["a", "b"], [2.0, 1.0])
    assert (request["ranked_ids"], request["ranked_scores"], request["k"]) == (["b", "a"], [None, None], 1)


# --- plain OpenTelemetry GenAI spans -------------------------------------------------------------------------------


def test_plain_genai_spans_without_a_workflow_span_are_one_request_a_trace(con):
    rows = [
        span(1),
        span(
            2, 1, operation="retrieval", attributes=ranking(("a", 0.5), k=3) | {s.GEN_AI_RETRIEVAL_QUERY_TEXT: "why?"}
        ),
        span(3, 1, operation="chat", attributes=asked("why? a") | answered("because")),
    ]
    (request,) = built(con, *rows)
    assert (request["query"], request["ranked_ids"], request["k"], request["answer"]) == ("why?", ["a"], 3, "because")
    assert (request["convention"], request["prompt_ids"], request["assembly_source"]) == ("otel_genai", None, "unknown")


def test_nested_workflow_spans_are_one_request(con):
    rows = [
        span(1, operation="invoke_workflow"),
        span(2, 1, operation="invoke_workflow"),
        span(3, 2, operation="retrieval", attributes=ranking("a")),
        span(4, 1, operation="chat", attributes=answered("because")),
    ]
    (request,) = built(con, *rows)
    assert (request["anchor_span_id"], request["ranked_ids"], request["answer"]) == (1, ["a"], "because")


def test_structured_attribute_values_read_like_json_text(con):
    documents = [{"id": 7, "score": 0.5}, {"id": None, "score": "NaN"}]
    message = [{"role": "assistant", "parts": [{"type": "text", "content": "yes"}, {"type": "tool_call", "id": "t"}]}]
    (request,) = built(
        con,
        span(1, operation="retrieval", attributes={s.GEN_AI_RETRIEVAL_DOCUMENTS: documents}),
        span(2, operation="chat", attributes={s.GEN_AI_OUTPUT_MESSAGES: message}),
    )
    assert (request["ranked_ids"], request["ranked_scores"], request["answer"]) == (["7", None], [0.5, None], "yes")


def test_recorded_spans_of_the_specification_become_requests(con):
    recording = RECORDINGS / "otel-semconv-spec-shape.jsonl"
    for line in recording.read_text(encoding="utf-8").splitlines():
        land(con, to_table(decode_json(json.loads(line)).rows), source="recording")
    build_requests(con)
    found = requests(con)
    assert len(found) == 2
    for request in found:
        assert request["query"]
        assert request["ranked_ids"]
        assert len(request["ranked_ids"]) == len(request["ranked_scores"])
        assert request["answer"]
        assert request["prompt_version"]
        assert request["convention"] == "otel_genai"


def test_prompt_ids_with_a_null_keep_it(con):
    (request,) = built(con, span(1, stage="assembly", attributes=chunks("a", None)))
    assert request["prompt_ids"] == ["a", None]


# --- what a hostile review found -----------------------------------------------------------------------------------


def test_a_span_that_is_sent_again_with_another_start_and_parent_counts_once(con):
    store(
        con,
        span(1, stage="request", at=1),
        span(5, 1, at=2),
        span(6, 5, at=3, stage="retrieval", attributes=ranking("a")),
    )
    (request,) = built(con, span(5, 6, at=400_000))
    assert (request["ranked_ids"], request["spans"]) == (["a"], 3)


def generations(*calls):
    """A request whose model calls are (failed, answer) in this order, with a ranking and a prompt."""
    rows = [span(1, stage="request", attributes=asked("why?")), *pipeline()[1:3]]
    for number, (failed, answer) in enumerate(calls, start=5):
        rows.append(span(number, 1, operation="chat", failed=failed, attributes=answered(answer) if answer else None))
    return rows


def test_a_call_that_fails_after_a_rewrite_of_the_query_is_the_one_that_counts(con):
    (request,) = built(con, *generations((False, "why, rewritten"), (True, None)))
    assert (request["answered"], request["error_stage"], request["answer"]) == (False, "generation", None)


def test_a_call_that_fails_after_the_answer_does_not_hide_what_the_request_answered(con):
    rows = generations((False, "because"), (True, None))
    rows[0] = span(1, stage="request", attributes=asked("why?") | answered("because"))
    (request,) = built(con, *rows)
    assert (request["answered"], request["error_stage"], request["answer"]) == (True, None, "because")


@pytest.mark.parametrize("kind", ["retrieval", "rerank"])
def test_a_model_call_inside_retrieval_or_rerank_is_no_answer(con, kind):
    rows = [span(1, stage="request"), span(2, 1, stage=kind, attributes=ranking("a"))]
    (request,) = built(con, *rows, span(3, 2, operation="chat", attributes=answered("a hypothetical document")))
    assert request["answer"] is None


def test_k_of_the_first_stage_is_not_k_after_reranking(con):
    rows = [span(1, stage="request"), span(2, 1, stage="retrieval", attributes=ranking("a", "b", k=30))]
    (request,) = built(con, *rows, span(3, 1, stage="rerank", attributes=ranking("b", "a")))
    assert request["k"] is None


def test_an_unknown_k_of_one_retrieval_makes_the_merged_k_unknown(con):
    rows = [span(1, stage="request"), span(2, 1, stage="retrieval", attributes=ranking("a"))]
    (request,) = built(con, *rows, span(3, 1, stage="retrieval", attributes=ranking("x", "y", k=2)))
    assert request["k"] is None


def test_a_judge_under_the_parent_that_the_request_has_elsewhere_is_not_its_own(con):
    judge = span(50, 999, operation="chat", at=99, attributes=answered("score: 5"))
    (request,) = built(con, *pipeline(1, parent=999), judge)
    assert request["answer"] == "yes"


def test_a_span_of_ours_inside_a_plain_one_of_its_kind_is_the_one_that_counts(con):
    rows = [span(1, stage="request"), span(2, 1, operation="retrieval")]
    (request,) = built(con, *rows, span(3, 2, stage="retrieval", attributes=ranking("a")))
    assert request["ranked_ids"] == ["a"]


def test_the_question_is_the_last_message_of_the_user(con):
    history = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in
               [("user", "hi"), ("assistant", "hello"), ("user", "why?")]]  # fmt: skip
    (request,) = built(con, span(1, stage="request", attributes={s.GEN_AI_INPUT_MESSAGES: json.dumps(history)}))
    assert request["query"] == "why?"


def test_every_search_of_a_request_is_kept(con):
    rows = [span(1, stage="request", attributes=asked("apples or pears?"))]
    for number, text in ((2, "apple"), (3, "pear")):
        said = ranking("a") | {s.GEN_AI_RETRIEVAL_QUERY_TEXT: text}
        rows.append(span(number, 1, stage="retrieval", attributes=said))
    (request,) = built(con, *rows)
    assert (request["query"], request["retrieval_query"]) == ("apples or pears?", "apple\npear")


@pytest.mark.parametrize(("said", "decision"), [("abstained", "refuse"), ("Answered", "answer"), ("maybe", None)])
def test_a_decision_is_read_in_the_words_that_systems_use(con, said, decision):
    (request,) = built(con, span(1, stage="request", attributes={s.RAGFAULT_DECISION: said}))
    assert request["decision"] == decision


def test_attributes_dropped_from_the_generation_say_nothing_about_the_ranking(con):
    rows = pipeline()
    rows[3] = rows[3]._replace(dropped_attributes_count=3)
    (request,) = built(con, *rows)
    assert "dropped_attributes" not in request["missing"]


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
