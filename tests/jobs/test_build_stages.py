"""What generation, assembly and errors tell of a request, and what limits and switches leave of it."""

import json

import pytest

from jobs.spans import answered, asked, built, chunks, pipeline, ranking, span
from otel_ragfault import semconv as s


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


def test_prompt_ids_with_a_null_keep_it(con):
    (request,) = built(con, span(1, stage="assembly", attributes=chunks("a", None)))
    assert request["prompt_ids"] == ["a", None]


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


def test_the_question_is_the_last_message_of_the_user(con):
    history = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in
               [("user", "hi"), ("assistant", "hello"), ("user", "why?")]]  # fmt: skip
    (request,) = built(con, span(1, stage="request", attributes={s.GEN_AI_INPUT_MESSAGES: json.dumps(history)}))
    assert request["query"] == "why?"


@pytest.mark.parametrize(("said", "decision"), [("abstained", "refuse"), ("Answered", "answer"), ("maybe", None)])
def test_a_decision_is_read_in_the_words_that_systems_use(con, said, decision):
    (request,) = built(con, span(1, stage="request", attributes={s.RAGFAULT_DECISION: said}))
    assert request["decision"] == decision


def test_attributes_dropped_from_the_generation_say_nothing_about_the_ranking(con):
    rows = pipeline()
    rows[3] = rows[3]._replace(dropped_attributes_count=3)
    (request,) = built(con, *rows)
    assert "dropped_attributes" not in request["missing"]
