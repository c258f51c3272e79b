"""Odd shapes of the OpenTelemetry conventions, of Bedrock in them, and of our own spans."""

import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions import otel_genai, own
from otel_ragfault.conventions.record import Hit

SCOPE = "opentelemetry.instrumentation.genai.test"
DOCUMENTS = [{"id": "a", "score": 0.5}, {"id": None, "score": None, "content": "B"}]
HITS = (Hit("a", 0.5), Hit(None, None, "B"))


def read(operation, attributes, scope=SCOPE, **rest):
    return otel_genai.read(span(scope, {"gen_ai.operation.name": operation} | attributes, **rest))


@pytest.mark.parametrize(
    ("attributes", "rest", "hits", "top_k", "problems"),
    [
        pytest.param({"gen_ai.retrieval.documents": DOCUMENTS, "gen_ai.retrieval.top_k": 2}, {}, HITS, 2, (), id="structured"),
        pytest.param({"gen_ai.retrieval.documents": text(DOCUMENTS), "gen_ai.request.top_k": 2.0}, {}, HITS, 2, (), id="1.40: JSON text, top_k double"),
        pytest.param({"gen_ai.retrieval.documents": "[]"}, {}, (), None, (), id="found nothing"),
        pytest.param({"gen_ai.retrieval.documents": []}, {}, (), None, (), id="found nothing, structured"),
        pytest.param({"gen_ai.retrieval.documents": text(DOCUMENTS)[:-3]}, {}, None, None, ("cut.ranking",), id="cut"),
        pytest.param({"gen_ai.retrieval.documents": ["a"]}, {}, None, None, ("cut.ranking",), id="no objects"),
        pytest.param({"gen_ai.retrieval.documents": None}, {"dropped_attributes": 1}, None, None, ("dropped.ranking",), id="lost"),
        pytest.param({"gen_ai.retrieval.documents": DOCUMENTS}, {"dropped_attributes": 1}, HITS, None, (), id="other attributes lost"),
        pytest.param({}, {}, None, None, ("content_off",), id="no content"),
        pytest.param({}, {"failed": True}, None, None, (), id="failed"),
        pytest.param({"gen_ai.retrieval.query.text": "What?"}, {}, None, None, (), id="question alone"),
    ],
)  # fmt: skip
def test_retrievals(attributes, rest, hits, top_k, problems):
    record = read("retrieval", attributes, **rest)
    assert (record.kind, record.hits, record.top_k, record.problems) == ("retrieval", hits, top_k, problems)


USER = [{"role": "user", "parts": [{"type": "text", "content": "Q"}]}]
SAID = [{"role": "assistant", "parts": [{"type": "text", "content": "A"}], "finish_reason": "stop"}]


@pytest.mark.parametrize(
    ("attributes", "rest", "prompt", "answer", "reasons", "problems"),
    [
        pytest.param({"gen_ai.input.messages": USER, "gen_ai.output.messages": SAID, "gen_ai.system_instructions": [{"type": "text", "content": "S"}]}, {}, "S\n\nQ", "A", ("stop",), (), id="structured"),
        pytest.param({"gen_ai.input.messages": text(USER), "gen_ai.output.messages": text(SAID)}, {}, "Q", "A", ("stop",), (), id="text"),
        pytest.param({"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "refusal", "refusal": "No."}], "finish_reason": "stop"}]}, {}, None, "No.", ("refusal",), (), id="a part that refuses"),
        pytest.param({"gen_ai.output.messages": [{"role": "assistant", "content": None, "refusal": "No."}], "gen_ai.response.finish_reasons": ["stop"]}, {}, None, "No.", ("refusal",), (), id="a message that refuses"),
        pytest.param({"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "A"}, {"type": "refusal", "content": "No."}], "finish_reason": "stop"}]}, {}, None, "A\nNo.", ("stop",), (), id="a text beside a part that refuses"),
        pytest.param({"gen_ai.output.messages": [{"role": "assistant", "content": "A", "refusal": None}]}, {}, None, "A", None, (), id="OpenAI's field, empty"),
        pytest.param({"gen_ai.input.messages": text(USER)[:-4], "gen_ai.output.messages": text(SAID)}, {}, None, "A", ("stop",), ("cut.prompt_text",), id="cut prompt"),
        pytest.param({"gen_ai.input.messages": text(USER), "gen_ai.output.messages": text(SAID)[:-4]}, {}, "Q", None, None, ("cut.answer",), id="cut answer"),
        pytest.param({"gen_ai.input.messages": text(USER), "gen_ai.system_instructions": '[{"type": "te'}, {}, None, None, None, ("cut.prompt_text",), id="cut instructions"),
        pytest.param({"gen_ai.input.messages": text(USER), "gen_ai.system_instructions": "S"}, {}, "S\n\nQ", None, None, (), id="instructions as text"),
        pytest.param({"gen_ai.input.messages_ref": "file:///x", "gen_ai.output.messages_ref": "file:///y"}, {}, None, None, None, ("content_off",), id="uploaded"),
        pytest.param({"gen_ai.input.messages_ref": "file:///x"}, {"dropped_attributes": 1}, None, None, None, ("content_off",), id="uploaded, others lost"),
        pytest.param({}, {"dropped_attributes": 1}, None, None, None, ("dropped.prompt_text", "dropped.answer"), id="lost"),
        pytest.param({}, {"failed": True}, None, None, None, (), id="failed"),
        pytest.param({"gen_ai.response.finish_reason": "stop, length"}, {}, None, None, ("stop", "length"), ("content_off",), id="Semantic Kernel"),
        pytest.param({"gen_ai.prompt": "Q", "gen_ai.completion": "A"}, {}, "Q", "A", None, (), id="before 1.28: text"),
        pytest.param({"gen_ai.prompt": '[{"role": "user", "content": "Q"}]', "gen_ai.completion": '[{"role": "assistant", "content": "A"}]'}, {}, "Q", "A", None, (), id="before 1.28: messages"),
        pytest.param({}, {"events": [
            {"name": "gen_ai.system.message", "attributes": {"content": "S"}},
            {"name": "gen_ai.user.message", "attributes": {"gen_ai.event.content": '{"content": "Q", "role": "user"}'}},
            {"name": "gen_ai.choice", "attributes": {"message": '{"content": "A"}', "finish_reason": "stop"}},
        ]}, "S\n\nQ", "A", None, (), id="1.28 events on the span"),
        pytest.param({}, {"events": [
            {"name": "gen_ai.content.prompt", "attributes": {"gen_ai.prompt": '[{"role": "user", "content": "Q"}]'}},
            {"name": "gen_ai.content.completion", "attributes": {"gen_ai.completion": '[{"content": "A"}]'}},
        ]}, "Q", "A", None, (), id="1.27 events"),
        pytest.param({}, {"events": [
            {"name": "gen_ai.client.inference.operation.details", "attributes": {"gen_ai.input.messages": USER, "gen_ai.output.messages": text(SAID)}},
        ]}, "Q", "A", None, (), id="operation details on the span"),
    ],
)  # fmt: skip
def test_generations(attributes, rest, prompt, answer, reasons, problems):
    record = read("chat", attributes, **rest)
    assert (record.kind, record.prompt_text, record.answer) == ("generation", prompt, answer)
    assert (record.finish_reasons, record.problems) == (reasons, problems)


@pytest.mark.parametrize(
    ("attributes", "tokens"),
    [
        ({"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2}, (5, 2)),
        ({"gen_ai.usage.prompt_tokens": 5.0, "gen_ai.usage.completion_tokens": "2"}, (5, 2)),
        ({"gen_ai.usage.input_tokens": True, "gen_ai.usage.output_tokens": -2}, (None, None)),
    ],
)
def test_usage(attributes, tokens):
    record = read("chat", attributes)
    assert (record.input_tokens, record.output_tokens) == tokens


@pytest.mark.parametrize("operation", ["invoke_workflow", "invoke_agent"])
def test_requests(operation):
    history = [{"role": "user", "content": "old"}, {"role": "assistant", "content": "x"}, *USER]
    record = read(
        operation,
        {"gen_ai.input.messages": text(history), "gen_ai.output.messages": SAID, "gen_ai.conversation.id": "s"},
    )
    assert (record.kind, record.query, record.answer, record.session_id) == ("request", "Q", "A", "s")


@pytest.mark.parametrize("operation", ["embeddings", "execute_tool", "vector_db_retrieve", ["chat"], None])
def test_other_operations_are_no_stage(operation):
    assert read(operation, {}) is None
    assert read(operation, {"gen_ai.conversation.id": "s"}).kind is None


def test_top_k_of_decoding_counts_no_documents():
    assert read("chat", {"gen_ai.request.top_k": 40}).top_k is None


@pytest.mark.parametrize(("has_parent", "kind"), [(False, "request"), (True, "generation")])
def test_a_knowledge_base_that_answers_was_sent_the_question(has_parent, kind):
    attributes = {"aws.bedrock.knowledge_base.id": "K", "gen_ai.input.messages": USER, "gen_ai.output.messages": SAID}
    record = read("chat", attributes, has_parent=has_parent)
    assert (record.kind, record.query, record.answer, record.prompt_text) == (kind, "Q", "A", None)


def test_files_of_a_knowledge_base_are_not_chunks():
    attributes = {"aws.bedrock.knowledge_base.id": "K", "gen_ai.retrieval.documents": [{"id": "s3://f", "score": 0.5}]}
    record = read("retrieval", attributes)
    assert (record.hits, record.problems) == ((Hit(None, 0.5),), ("ids_not_chunks",))


@pytest.mark.parametrize(
    ("stage", "attributes", "told"),
    [
        ("request", {"gen_ai.input.messages": text(USER), "gen_ai.output.messages": text(SAID), "ragfault.decision": "refuse"}, {"query": "Q", "answer": "A", "decision": "refuse"}),
        ("retrieval", {"gen_ai.retrieval.documents": text(DOCUMENTS), "gen_ai.retrieval.query.text": "Q", "ragfault.retrieval.complete": False, "ragfault.retrieval.score_kind": "bm25"}, {"hits": HITS, "query": "Q", "complete": False, "score_kind": "bm25"}),
        ("rerank", {"gen_ai.retrieval.documents": text(DOCUMENTS), "gen_ai.retrieval.top_k": 1}, {"hits": HITS, "top_k": 1}),
        ("assembly", {"ragfault.assembly.chunk_ids": '["a", null]', "gen_ai.retrieval.top_k": 3}, {"prompt_ids": ("a", None), "top_k": 3}),
        ("assembly", {"ragfault.assembly.chunk_ids": '["a", nu'}, {"prompt_ids": None, "problems": ("cut.prompt_ids",)}),
        ("generation", {"gen_ai.output.messages": text(SAID), "ragfault.citations": '["a"]'}, {"answer": "A", "cited": ("a",)}),
        ("generation", {"gen_ai.output.messages": text(SAID), "ragfault.citations": "[]"}, {"cited": ()}),
        ("request", {"ragfault.decision": "maybe", "ragfault.case_id": "c", "ragfault.run_id": "r", "ragfault.corpus.snapshot_id": "s"}, {"decision": None, "case_id": "c", "run_id": "r", "snapshot_id": "s"}),
    ],
)  # fmt: skip
def test_our_own_spans(stage, attributes, told):
    view = span("otel_ragfault", {"ragfault.stage": stage, "gen_ai.operation.name": "retrieval"} | attributes)
    assert own.claims(view)
    record = own.read(view)
    assert record.kind == stage
    assert {name: getattr(record, name) for name in told} == told


@pytest.mark.parametrize("stage", ["unheard of", ["request"], None, 5])
def test_a_stage_that_is_none_of_ours_is_not_claimed(stage):
    assert not own.claims(span("otel_ragfault", {"ragfault.stage": stage}))
