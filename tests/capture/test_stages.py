"""The span of each stage: its name, its attributes, and the types of their values."""

import asyncio

import pytest
from opentelemetry.trace import NoOpTracerProvider, SpanKind, StatusCode

import otel_ragfault
from otel_ragfault import semconv
from otel_ragfault.capture import (
    assembly,
    capture_failures,
    current_stage,
    generation,
    request,
    rerank,
    retrieval,
    set_capture,
)

TEXT, COUNT, TRUTH = str, int, bool
STAGE_OF = {
    "request": request,
    "retrieval": retrieval,
    "rerank": rerank,
    "assembly": assembly,
    "generation": generation,
}


def hits(query, k=2):
    return [("a", 1.5)]


def prompt_of(chunks, limit=150):
    return "the prompt", ["a", "b"], [("c", "budget")]


def answer_of(prompt, model="m-1"):
    return {
        "answer": "8 hours",
        "citations": ["a"],
        "decision": "answer",
        "finish_reason": "stop",
        "usage": {"input_tokens": 9, "output_tokens": 2},
    }


SPANS = {
    "request": (
        request(case_id="c-1", run_id=7, snapshot_id="s", prompt_name="p", prompt_version="3")(hits),
        "invoke_workflow hits",
        {
            semconv.GEN_AI_OPERATION_NAME: "invoke_workflow",
            semconv.RAGFAULT_CASE_ID: "c-1",
            semconv.RAGFAULT_RUN_ID: "7",
            semconv.RAGFAULT_SNAPSHOT_ID: "s",
            semconv.GEN_AI_PROMPT_NAME: "p",
            semconv.GEN_AI_PROMPT_VERSION: "3",
        },
    ),
    "retrieval": (
        retrieval(data_source="index", complete=True, score_kind="bm25")(hits),
        "retrieval index",
        {
            semconv.GEN_AI_OPERATION_NAME: "retrieval",
            semconv.GEN_AI_DATA_SOURCE_ID: "index",
            semconv.GEN_AI_RETRIEVAL_TOP_K: 2,
            semconv.RAGFAULT_RETRIEVAL_COMPLETE: True,
            semconv.RAGFAULT_SCORE_KIND: "bm25",
            semconv.GEN_AI_RETRIEVAL_DOCUMENTS: '[{"id":"a","score":1.5}]',
        },
    ),
    "rerank": (
        rerank(model="ce", k=1, score_kind="similarity")(hits),
        "rerank ce",
        {
            semconv.GEN_AI_REQUEST_MODEL: "ce",
            semconv.GEN_AI_RETRIEVAL_TOP_K: 1,
            semconv.RAGFAULT_SCORE_KIND: "similarity",
            semconv.GEN_AI_RETRIEVAL_DOCUMENTS: '[{"id":"a","score":1.5}]',
        },
    ),
    "assembly": (
        assembly(budget="limit")(prompt_of),
        "assembly prompt_of",
        {
            semconv.RAGFAULT_ASSEMBLY_BUDGET: 150,
            semconv.RAGFAULT_ASSEMBLY_BUDGET_UNIT: "words",
            semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS: '["a","b"]',
            semconv.RAGFAULT_ASSEMBLY_DROPPED: '[{"id":"c","reason":"budget"}]',
        },
    ),
    "generation": (
        generation(provider="openai")(answer_of),
        "chat m-1",
        {
            semconv.GEN_AI_OPERATION_NAME: "chat",
            semconv.GEN_AI_REQUEST_MODEL: "m-1",
            semconv.GEN_AI_PROVIDER_NAME: "openai",
            semconv.RAGFAULT_CITATIONS: '["a"]',
            semconv.RAGFAULT_DECISION: "answer",
            semconv.GEN_AI_RESPONSE_FINISH_REASONS: ("stop",),
            semconv.GEN_AI_USAGE_INPUT_TOKENS: 9,
            semconv.GEN_AI_USAGE_OUTPUT_TOKENS: 2,
        },
    ),
}


@pytest.mark.parametrize(("stage", "row"), SPANS.items(), ids=SPANS.keys())
def test_each_stage_writes_its_span(recorded, no_failures, stage, row):
    function, name, attributes = row

    function("q")

    span = recorded.only()
    expected = {semconv.RAGFAULT_STAGE: stage, **attributes}
    assert span.name == name
    assert dict(span.attributes) == expected
    assert {key: type(value) for key, value in span.attributes.items()} == {key: type(v) for key, v in expected.items()}
    assert span.kind is (SpanKind.CLIENT if stage == "generation" else SpanKind.INTERNAL)
    assert span.status.status_code is StatusCode.UNSET
    assert span.instrumentation_scope.name == semconv.SCOPE_NAME
    assert span.instrumentation_scope.version == otel_ragfault.__version__


@pytest.mark.parametrize("stage", STAGE_OF.values(), ids=STAGE_OF.keys())
def test_a_stage_is_a_bare_decorator_a_configured_one_and_a_context_manager(recorded, no_failures, stage):
    def work():
        return None

    async def use():
        async with stage() as span:
            assert current_stage() is span

    stage(work)()
    stage(name="other")(work)()
    with stage() as span:
        assert current_stage() is span
    asyncio.run(use())

    verb = recorded.all[2].name
    assert [span.name for span in recorded.all] == [f"{verb} work", f"{verb} other", verb, verb]


def test_settings_come_from_values_parameters_and_functions_of_the_call(recorded, no_failures):
    @retrieval(k="depth", data_source=lambda call: call["where"], query=lambda call: call["rest"][0])
    def search(where, *rest, depth=4, **more):
        return []

    recorded.capture(content=True)
    search("index-1", "what?", depth=9)
    search("index-1", "what?")

    first, second = recorded.all
    assert first.name == "retrieval index-1"
    assert first.attributes[semconv.GEN_AI_RETRIEVAL_QUERY_TEXT] == "what?"
    assert [one.attributes[semconv.GEN_AI_RETRIEVAL_TOP_K] for one in (first, second)] == [9, 4]


def test_a_name_that_is_told_is_the_name(recorded, no_failures):
    generation(name="answerer")(answer_of)("p", model="m-2")

    assert recorded.only().name == "chat answerer"
    assert recorded.attribute(semconv.GEN_AI_REQUEST_MODEL) == "m-2"


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"score_kind": "cosine"}, "score_kind"),
        ({"complete": "yes"}, "complete"),
        ({"data_source": lambda call: call["absent"]}, "argument"),
    ],
    ids=["unknown score kind", "complete is no truth value", "function of the call fails"],
)
def test_settings_that_cannot_be_used_are_counted_and_left_out(recorded, settings, kind):
    assert retrieval(**settings)(hits)("q") == [("a", 1.5)]

    assert capture_failures()[kind] == 1
    assert semconv.GEN_AI_RETRIEVAL_DOCUMENTS in recorded.only().attributes


@pytest.mark.parametrize(
    "use",
    [lambda: retrieval("what?"), lambda: retrieval(top=3), lambda: retrieval()(list)],
    ids=["a value without a name", "an unknown setting", "a class"],
)
def test_wrong_use_is_told_where_the_decorator_stands(use):
    with pytest.raises(TypeError, match="retrieval"):
        use()


def test_a_handle_records_by_hand(recorded, no_failures):
    recorded.capture(content=True)
    with request(query="what?", case_id="c") as one:
        with retrieval(query="what?", k=5) as span:
            span.record_documents([("a", 0.5)], complete=False, score_kind="distance")
        with assembly(budget=10, budget_unit="tokens") as span:
            span.record_chunks(["a", None], dropped=[{"id": "b", "reason": "duplicate"}, "c"])
        with generation(model="m") as span:
            span.record_prompt([{"role": "system", "content": "be brief"}, {"role": "user", "content": "what?"}])
            span.record_answer("8 hours", citations=["a"], decision="answer", response_id="r", input_tokens=3)
        one.record_answer("8 hours")
        one.set(prompt_version=4)

    assert recorded.named("retrieval").attributes[semconv.RAGFAULT_RETRIEVAL_COMPLETE] is False
    assert recorded.named("retrieval").attributes[semconv.RAGFAULT_SCORE_KIND] == "distance"
    assembled = recorded.named("assembly").attributes
    assert assembled[semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS] == '["a",null]'
    assert (
        assembled[semconv.RAGFAULT_ASSEMBLY_DROPPED]
        == '[{"id":"b","reason":"duplicate"},{"id":"c","reason":"unspecified"}]'
    )
    assert '"role":"system"' in recorded.named("chat m").attributes[semconv.GEN_AI_INPUT_MESSAGES]
    assert recorded.named("invoke_workflow").attributes[semconv.GEN_AI_PROMPT_VERSION] == "4"


def test_what_is_told_by_hand_wins_over_what_is_read(recorded, no_failures):
    @retrieval(k=5)
    def search(query):
        current_stage().set(k=3)
        current_stage().record_documents([("full", 1.0), ("a", 0.5)], complete=True)
        return ["a"]

    search("q")

    assert recorded.json(semconv.GEN_AI_RETRIEVAL_DOCUMENTS)[0] == {"id": "full", "score": 1.0}
    assert recorded.attribute(semconv.GEN_AI_RETRIEVAL_TOP_K) == 3


def test_a_handle_is_harmless_outside_and_after_its_stage(recorded, no_failures):
    with retrieval() as span:
        pass
    for handle in (span, current_stage()):
        handle.record_documents(["a"])
        handle.record_chunks(["a"])
        handle.record_answer("text")
        handle.record_query("q")
        handle.record_prompt("p")
        handle.set(k=1)

    assert semconv.GEN_AI_RETRIEVAL_DOCUMENTS not in recorded.only().attributes


def test_one_configured_stage_may_be_entered_again_inside_itself(recorded, no_failures):
    stage = retrieval()
    with stage as outer, stage as inner:
        inner.set(k=2)
        outer.set(k=1)

    inner, outer = recorded.all
    assert inner.parent.span_id == outer.context.span_id
    assert (inner.attributes[semconv.GEN_AI_RETRIEVAL_TOP_K], outer.attributes[semconv.GEN_AI_RETRIEVAL_TOP_K]) == (
        2,
        1,
    )


def test_without_a_provider_nothing_is_read(recorded):
    set_capture(content=True, tracer_provider=NoOpTracerProvider())
    traced = retrieval(extract=lambda _: pytest.fail("read"), query=lambda _: pytest.fail("read"))(hits)

    assert traced("q") == [("a", 1.5)]


ASSEMBLED = {
    "ids": (["a", "b"], '["a","b"]', None),
    "chunks": ([{"chunk_id": "a"}, {"text": "no id"}], '["a",null]', None),
    "prompt and chunks": (("prompt", ["a"]), '["a"]', None),
    "chunks and dropped": ((["a"], [("b", "budget")]), '["a"]', '[{"id":"b","reason":"budget"}]'),
    "ids and scores": ((["a"], [0.5]), '["a"]', None),
    "mapping": (
        {"prompt": "p", "chunks": ["a"], "dropped": {"b": "filter"}},
        '["a"]',
        '[{"id":"b","reason":"filter"}]',
    ),
    "nothing fits": ((["x"][:0], ["b"]), "[]", '[{"id":"b","reason":"unspecified"}]'),
    "a prompt alone": ("prompt", None, None),
}


@pytest.mark.parametrize(("result", "kept", "dropped"), ASSEMBLED.values(), ids=ASSEMBLED.keys())
def test_chunks_are_found_in_what_assembly_returns(recorded, no_failures, result, kept, dropped):
    assert assembly(lambda: result)() is result

    assert recorded.attribute(semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS) == kept
    assert recorded.attribute(semconv.RAGFAULT_ASSEMBLY_DROPPED) == dropped
