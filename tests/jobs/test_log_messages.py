"""Messages that came by log become part of the records of the spans in whose context they were sent."""

import json

import pytest

from jobs.spans import answered, asked, requests, span
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests, needs_build
from otel_ragfault.jobs.log_messages import messages_of
from otel_ragfault.landing.decoding.row_log import LogRow
from records.building import NAMES, land_logs, land_spans, log_rows, span_rows

COLUMNS = "prompt_text, answer, finish_reasons, missing"


def event(name, body=None, *, trace=1, number=2, at=1, attributes=None):
    """A log record of the span ``number``, sent ``at`` nanoseconds."""
    return LogRow(
        *(None, at, trace.to_bytes(16), number, None, None, name, "shop", "app", "1"),
        None if body is None else json.dumps(body),
        json.dumps(attributes or {}),
        *(None, None, None, 0, None),
    )


def model_call(**attributes):
    """A request with one call of a model whose span holds no message, in a convention that says so."""
    silent = {"gen_ai.system": "openai", s.GEN_AI_REQUEST_MODEL: "m"}
    return [span(1, operation="invoke_workflow"), span(2, 1, operation="chat", attributes=silent | attributes)]


def parts(role, text):
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


LEGACY = [
    event("gen_ai.user.message", {"content": "why?"}, at=1),
    event("gen_ai.system.message", {"content": "Be brief."}, at=2),
    event("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "Because."}}, at=3),
]
DETAILS = event(
    "gen_ai.client.inference.operation.details",
    attributes={
        s.GEN_AI_SYSTEM_INSTRUCTIONS: [{"type": "text", "content": "Be brief."}],
        s.GEN_AI_INPUT_MESSAGES: parts("user", "why?"),
        s.GEN_AI_OUTPUT_MESSAGES: json.dumps(parts("assistant", "Because.")),
        s.GEN_AI_RESPONSE_FINISH_REASONS: ["stop"],
    },
)


def record(con, columns=COLUMNS):
    build_requests(con)
    [found] = requests(con, columns)
    return found


def filled(con):
    found = record(con)
    assert "content_off" not in found.pop("missing")
    assert found == {"prompt_text": "Be brief.\n\nwhy?", "answer": "Because.", "finish_reasons": ["stop"]}


@pytest.mark.parametrize("logs", [LEGACY, LEGACY[::-1], [DETAILS], LEGACY * 2], ids=["each", "reverse", "one", "twice"])
def test_messages_fill_what_the_span_lacks(con, logs):
    land_spans(con, model_call())
    land_logs(con, logs)
    filled(con)


@pytest.mark.parametrize("logs", [LEGACY, [DETAILS]], ids=["each", "one"])
def test_order_of_arrival_does_not_matter(con, logs):
    land_spans(con, model_call())
    assert "content_off" in record(con)["missing"]
    land_logs(con, logs)
    assert needs_build(con)
    filled(con)
    assert not needs_build(con)


def test_logs_that_arrive_first_wait_for_their_span(con):
    land_logs(con, LEGACY)
    build_requests(con)
    assert requests(con) == []
    land_spans(con, model_call())
    filled(con)


def test_what_the_span_says_itself_stays(con):
    land_spans(con, model_call(**asked("how?"), **answered("So.")))
    land_logs(con, LEGACY)
    found = record(con)
    assert (found["prompt_text"], found["answer"], found["finish_reasons"]) == ("how?", "So.", ["stop"])


def test_events_of_another_span_or_trace_are_not_taken(con):
    land_spans(con, model_call())
    land_logs(con, [event("gen_ai.user.message", {"content": "x"}, number=1)])
    land_logs(con, [event("gen_ai.user.message", {"content": "x"}, trace=2)])
    assert record(con)["prompt_text"] is None


def test_events_without_content_leave_it_switched_off(con):
    land_spans(con, model_call())
    land_logs(con, [event("gen_ai.user.message", {}), event("gen_ai.choice", {"index": 0, "finish_reason": "stop"})])
    found = record(con)
    assert (found["prompt_text"], found["answer"], found["finish_reasons"]) == (None, None, ["stop"])
    assert "content_off" in found["missing"]


def test_a_reranker_whose_prompt_came_by_log_is_not_the_answer(con):
    later = span(3, 1, operation="chat", attributes={"gen_ai.system": "openai"})
    land_spans(con, [*model_call(), later])
    prompt = "A list of documents is shown below. Each document has a number next to it …"
    land_logs(con, LEGACY)
    land_logs(con, [event("gen_ai.user.message", {"content": prompt}, number=3)])
    land_logs(con, [event("gen_ai.choice", {"message": {"content": "Doc: 1, Relevance: 8"}}, number=3)])
    filled(con)


def test_plain_logs_build_nothing_and_evaluations_are_looked_at(con):
    land_spans(con, model_call())
    build_requests(con)
    land_logs(con, [event(None, "hello")])
    assert not needs_build(con)
    land_logs(con, [event("gen_ai.evaluation.result", attributes={"gen_ai.evaluation.name": "x"})])
    assert needs_build(con)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([("gen_ai.user.message", "why?", {})], ("why?", None, None)),
        ([("gen_ai.user.message", '{"content": "why?"}', {})], ("why?", None, None)),
        ([("gen_ai.user.message", None, {"gen_ai.event.content": '{"content": "why?"}'})], ("why?", None, None)),
        ([("gen_ai.user.message", {"content": [{"type": "text", "text": "why?"}]}, {})], ("why?", None, None)),
        ([("gen_ai.tool.message", {"id": "1", "content": {"hits": ["a"]}}, {})], ('{"hits":["a"]}', None, None)),
        ([("gen_ai.assistant.message", {"tool_calls": [{"id": "1"}]}, {})], (None, None, None)),
        (
            [
                ("gen_ai.choice", {"index": 1, "finish_reason": "length", "message": {"content": "two"}}, {}),
                ("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "one"}}, {}),
            ],
            (None, "one", ("stop", "length")),
        ),
        ([("gen_ai.choice", {"message": "plain"}, {})], (None, "plain", None)),
        ([("gen_ai.choice", ["odd", 1], {}), ("gen_ai.user.message", 5, {})], (None, "odd", None)),
    ],
)
def test_bodies_of_many_shapes(events, expected):
    assert messages_of(events) == expected


# --- recordings -------------------------------------------------------------------------------------------------------

WITH_LOGS = [name for name in NAMES if log_rows(name)]


def test_three_recordings_have_logs():
    assert WITH_LOGS == ["otel-genai-langchain.events", "otel-openai-v2", "otel-semconv-spec-shape"]


@pytest.mark.parametrize("name", WITH_LOGS)
def test_recorded_messages_whichever_arrives_first(memory_factory, name):
    found = []
    for logs_first in (True, False):
        con = memory_factory()
        if logs_first:
            land_logs(con, log_rows(name))
            build_requests(con)
        land_spans(con, *span_rows(name))
        build_requests(con)
        if not logs_first:
            land_logs(con, log_rows(name))
            build_requests(con)
        found.append(requests(con, "* EXCLUDE (built_at)"))
    assert found[0] == found[1]
    for one in found[0]:
        assert one["prompt_text"].startswith("You are a studio assistant.\n\nAnswer the question from the numbered")
        assert one["answer"].endswith("]")
        assert one["finish_reasons"] == ["stop"]


def test_evaluation_events_do_not_disturb_records(memory_factory):
    name, records = "otel-semconv-spec-shape", []
    for logs in ([], log_rows("otel-semconv-spec-shape")):
        con = memory_factory()
        land_spans(con, *span_rows(name))
        land_logs(con, logs)
        build_requests(con)
        records.append(requests(con, "* EXCLUDE (built_at)"))
    assert records[0] == records[1]
