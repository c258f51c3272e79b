"""Spans of the GenAI conventions that SQL reads itself give what the convention would say of them."""

import json

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from jobs.spans import answered, asked, ranking, requests, span, store
from otel_ragfault import semconv as s
from otel_ragfault.conventions.parsing_messages import _INTERNAL
from otel_ragfault.jobs.build import build_requests

ASKED, SAID = asked("the prompt"), answered("because")
QUERY = {s.GEN_AI_RETRIEVAL_QUERY_TEXT: "why?"}


def parts(*told, role="user", **more):
    return json.dumps([{"role": role, "parts": list(told), **more}])


TEXT = {"type": "text", "content": "x"}
SPANS = {
    "whole chat": ("chat", ASKED | SAID),
    "chat without content": ("chat", {s.GEN_AI_REQUEST_MODEL: "m"}),
    "chat without an answer": ("chat", ASKED),
    "chat without a prompt": ("chat", SAID),
    "chat that names its reasons": ("chat", SAID | {s.GEN_AI_RESPONSE_FINISH_REASONS: ["stop"]}),
    "reasons as one word": ("chat", SAID | {s.GEN_AI_RESPONSE_FINISH_REASONS: "stop"}),
    "reason beside the answer": (
        "chat",
        ASKED | {s.GEN_AI_OUTPUT_MESSAGES: parts(TEXT, role="assistant", finish_reason="length")},
    ),
    "cut prompt": ("chat", SAID | {s.GEN_AI_INPUT_MESSAGES: '[{"role": "us'}),
    "cut answer": ("chat", ASKED | {s.GEN_AI_OUTPUT_MESSAGES: '[{"ro'}),
    "instructions": ("chat", ASKED | SAID | {s.GEN_AI_SYSTEM_INSTRUCTIONS: [TEXT]}),
    "instructions as text": ("chat", ASKED | SAID | {s.GEN_AI_SYSTEM_INSTRUCTIONS: "be brief"}),
    "cut instructions": ("chat", ASKED | SAID | {s.GEN_AI_SYSTEM_INSTRUCTIONS: '[{"type'}),
    "result of a tool": (
        "chat",
        SAID | {s.GEN_AI_INPUT_MESSAGES: parts(TEXT, {"type": "tool_call_response", "response": "r"})},
    ),
    "parts of other types": ("chat", SAID | {s.GEN_AI_INPUT_MESSAGES: parts({"type": "input_text", "text": "y"})}),
    "messages as text": ("chat", SAID | {s.GEN_AI_INPUT_MESSAGES: [{"role": "user", "content": "y"}]}),
    "content as a list": ("chat", SAID | {s.GEN_AI_INPUT_MESSAGES: [{"role": "user", "content": [TEXT]}]}),
    "several messages": (
        "chat",
        SAID | {s.GEN_AI_INPUT_MESSAGES: [{"role": r, "parts": [TEXT]} for r in ("user", "assistant", "user")]},
    ),
    "several choices": ("chat", {s.GEN_AI_OUTPUT_MESSAGES: [{"parts": [TEXT]}, {"parts": [TEXT]}]}),
    "old attributes": ("chat", {"gen_ai.prompt": "q", "gen_ai.completion": "a"}),
    "older spelling of usage": ("chat", ASKED | SAID | {"gen_ai.usage.prompt_tokens": 3}),
    "retrieval": ("retrieval", ranking(("a", 0.5), ("b", 0.2), k=1) | QUERY),
    "retrieval without a query": ("retrieval", ranking("a")),
    "retrieval without documents": ("retrieval", QUERY),
    "retrieval without content": ("retrieval", {"gen_ai.data_source.id": "d"}),
    "empty ranking": ("retrieval", ranking()),
    "texts of documents": ("retrieval", {s.GEN_AI_RETRIEVAL_DOCUMENTS: [{"id": "a", "text": "t"}, {"page_content": "p"}]}),
    "cut ranking": ("retrieval", QUERY | {s.GEN_AI_RETRIEVAL_DOCUMENTS: '[{"id": "a"}, {"i'}),
    "documents that are none": ("retrieval", QUERY | {s.GEN_AI_RETRIEVAL_DOCUMENTS: ["a", "b"]}),
    "old spelling of the query": ("retrieval", ranking("a") | {"gen_ai.retrieval.query": "why?"}),
    "workflow": ("invoke_workflow", ASKED | SAID),
    "workflow of a person": ("invoke_workflow", SAID | {s.GEN_AI_INPUT_MESSAGES: parts(TEXT, role="human")}),
    "workflow that was cut": ("invoke_workflow", SAID | {s.GEN_AI_INPUT_MESSAGES: '[{"role"'}),
    "identity": ("chat", ASKED | SAID | {"case.id": "c", "run_id": "r", "thread_id": "t", "prompt_name": "p"}),
} | {f"internal: {line[:40]}": ("chat", SAID | asked(f"Now. {line} And so on.")) for line in _INTERNAL}  # fmt: skip


def records(con, rows):
    store(con, *rows)
    build_requests(con)
    found = {request["trace_id"].int: request for request in requests(con)}
    for request in found.values():
        del request["built_at"]
    return found


def read_by_the_convention(row):
    """The same span as the convention reads it: one with a list of events is none that SQL reads."""
    return row._replace(events="[]")


@pytest.fixture(scope="module")
def both(make_database):
    rows = [
        span(1, operation=operation, trace=trace, attributes=attributes, failed=failed)
        for trace, (operation, attributes, failed) in enumerate(
            ((*told, failed) for failed in (False, True) for told in SPANS.values()), start=1
        )
    ]
    return records(make_database(), rows), records(make_database(), map(read_by_the_convention, rows))


@pytest.mark.parametrize("failed", [False, True], ids=["ended well", "failed"])
@pytest.mark.parametrize("name", SPANS)
def test_sql_says_what_the_convention_says(both, name, failed):
    trace = list(SPANS).index(name) + 1 + failed * len(SPANS)
    by_sql, by_convention = (found.get(trace) for found in both)
    assert by_sql == by_convention


@pytest.mark.parametrize(("name", "is_off"), [("chat without content", True), ("retrieval without content", True),
                                              ("retrieval without a query", False), ("chat without an answer", False)])  # fmt: skip
def test_content_that_is_switched_off_is_said_to_be(both, name, is_off):
    found = both[0][list(SPANS).index(name) + 1]
    assert ("content_off" in found["missing"]) == is_off


texts = st.sampled_from(["", "x", "[1]", "{", "why?"])
part = st.one_of(
    st.builds(lambda text: {"type": "text", "content": text}, texts),
    st.sampled_from([{"type": "tool_call", "id": "t"}, {"type": "text"}, "bare", None, {"type": "image"}]),
)
message = st.one_of(
    st.builds(lambda role, told: {"role": role, "parts": told}, st.sampled_from(["user", "system"]), st.lists(part)),
    st.builds(lambda text: {"role": "user", "content": text}, texts),
    st.sampled_from([{}, "bare", None, {"role": "user", "parts": "x"}]),
)
document = st.one_of(
    st.builds(lambda name, score: {"id": name, "score": score}, st.sampled_from(["a", "b", None]), st.sampled_from([1, 0.5, None])),
    st.sampled_from([{"id": "a", "content": "t"}, {}, "bare", None]),
)  # fmt: skip
cut = st.sampled_from([None, 3])


def written(value, keep):
    return json.dumps(value)[:keep]


attributes = st.fixed_dictionaries(
    {},
    optional={
        s.GEN_AI_INPUT_MESSAGES: st.one_of(st.lists(message), st.builds(written, st.lists(message), cut)),
        s.GEN_AI_OUTPUT_MESSAGES: st.one_of(st.lists(message), st.builds(written, st.lists(message), cut)),
        s.GEN_AI_SYSTEM_INSTRUCTIONS: st.one_of(st.lists(part), st.builds(written, st.lists(part), cut)),
        s.GEN_AI_RETRIEVAL_DOCUMENTS: st.one_of(st.lists(document), st.builds(written, st.lists(document), cut)),
        s.GEN_AI_RETRIEVAL_QUERY_TEXT: texts,
    },
)


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(told=st.lists(st.tuples(st.sampled_from(["chat", "retrieval", "invoke_workflow"]), attributes), min_size=20, max_size=40))  # fmt: skip
def test_any_span_reads_alike(make_database, told):
    rows = [span(1, operation=one, trace=trace, attributes=said) for trace, (one, said) in enumerate(told, start=1)]
    by_sql = records(make_database(), rows)
    by_convention = records(make_database(), map(read_by_the_convention, rows))
    assert by_sql.keys() == by_convention.keys()
    differing = [
        (told[trace - 1], column, value, by_convention[trace][column])
        for trace, request in by_sql.items()
        for column, value in request.items()
        if value != by_convention[trace][column]
    ]
    assert differing == []
