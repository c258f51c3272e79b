"""Plain OpenTelemetry GenAI spans become requests."""

import json

from jobs.spans import answered, asked, built, ranking, requests, span
from otel_ragfault import semconv as s
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.landing import decode_json, land, to_table
from paths import RECORDINGS


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


def test_a_span_of_ours_inside_a_plain_one_of_its_kind_is_the_one_that_counts(con):
    rows = [span(1, stage="request"), span(2, 1, operation="retrieval")]
    (request,) = built(con, *rows, span(3, 2, stage="retrieval", attributes=ranking("a")))
    assert request["ranked_ids"] == ["a"]
