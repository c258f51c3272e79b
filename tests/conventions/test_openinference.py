"""Odd shapes of OpenInference."""

import pytest

from conventions.shapes import OPENINFERENCE, span, text
from otel_ragfault.conventions import openinference
from otel_ragfault.conventions.parsing import REDACTED
from otel_ragfault.conventions.record import Hit

LANGCHAIN = OPENINFERENCE + "langchain"
LLAMAINDEX = OPENINFERENCE + "llama_index"


def documents(*found, prefix="retrieval.documents."):
    """Flatten documents; ``None`` leaves a hole."""
    return {
        f"{prefix}{rank}.document.{field}": value
        for rank, document in enumerate(found)
        if document is not None
        for field, value in document.items()
    }


def retrieved(attributes, scope="openinference.app", name="retrieve", **rest):
    kind = {"openinference.span.kind": "RETRIEVER", "input.value": "What?"}
    return openinference.read(span(scope, kind | attributes, name, **rest))


@pytest.mark.parametrize(
    ("attributes", "rest", "hits", "problems"),
    [
        pytest.param(documents({"id": "a", "score": 0.5, "content": "T"}), {}, (Hit("a", 0.5, "T"),), (), id="whole"),
        pytest.param(documents({"id": 7, "score": 1}), {}, (Hit("7", 1.0),), (), id="integers"),
        pytest.param(
            documents({"id": "a"}, {"id": "b"}),
            {"dropped_attributes": 1},
            None,
            ("dropped.ranking",),
            id="attributes lost",
        ),
        pytest.param({}, {"dropped_attributes": 1}, None, ("dropped.ranking",), id="all of them lost"),
        pytest.param(documents(None, {"id": "b"}), {}, None, ("dropped.ranking",), id="top missing"),
        pytest.param(documents({"id": "a"}, None, {"id": "c"}), {}, None, ("dropped.ranking",), id="hole"),
        pytest.param(documents({"id": "a", "content": REDACTED}), {}, (Hit("a"),), ("redacted",), id="hidden text"),
        pytest.param(documents({"content": "", "id": ""}), {}, (Hit(None, None, ""),), (), id="empty values"),
        pytest.param(
            {"output.value": "[]", "output.mime_type": "application/json"}, {}, (), (), id="LlamaIndex found nothing"
        ),
        pytest.param({"output.value": '{"documents": []}'}, {}, (), (), id="LangChain found nothing"),
        pytest.param({"output.value": '{"docum'}, {}, None, (), id="cut output"),
        pytest.param({}, {}, None, (), id="not recorded"),
        pytest.param({"input.value": None}, {}, None, ("content_off",), id="no content"),
        pytest.param({"input.value": None}, {"failed": True}, None, (), id="failed"),
        pytest.param({"input.value": REDACTED}, {}, None, ("redacted",), id="hidden question"),
        pytest.param(documents({"id": "é日", "content": "\u65e5"}), {}, (Hit("é日", None, "日"),), (), id="non-ASCII"),
    ],
)
def test_rankings(attributes, rest, hits, problems):
    record = retrieved(attributes, **rest)
    assert (record.kind, record.hits, record.problems) == ("retrieval", hits, problems)


def test_many_documents_keep_their_order_by_number_not_by_text():
    found = documents(*({"id": str(rank)} for rank in range(30)))
    assert [hit.id for hit in retrieved(found).hits] == [str(rank) for rank in range(30)]


OUTPUT = {
    "documents": [
        {"id": "a", "page_content": "A", "metadata": {}},
        {"id": "b", "page_content": "B", "metadata": {"score": 0.25}},
    ]
}
TWO = documents({"content": "A", "metadata": "{}"}, {"content": "B", "metadata": '{"score": 0.25}'})


@pytest.mark.parametrize(
    ("attributes", "ids", "problems"),
    [
        pytest.param(TWO | {"output.value": text(OUTPUT)}, ["a", "b"], (), id="from the output"),
        pytest.param(TWO | {"output.value": text(OUTPUT)[:-9]}, [None, None], ("cut.ranking_ids",), id="cut output"),
        pytest.param(TWO | {"output.value": text({"documents": OUTPUT["documents"][:1]})}, [None, None], (), id="another number of documents"),
        pytest.param(TWO | {"output.value": "plain"}, [None, None], (), id="plain output"),
        pytest.param(TWO, [None, None], (), id="no output"),
        pytest.param(documents({"metadata": '{"chunk_id": "m"}'}) | {"output.value": text(OUTPUT)}, ["m"], (), id="named by the application"),
    ],
)  # fmt: skip
def test_ids_of_langchain(attributes, ids, problems):
    record = retrieved(attributes, LANGCHAIN)
    assert [hit.id for hit in record.hits] == ids
    assert record.problems == problems
    assert [hit.score for hit in record.hits][1:] in ([], [0.25])


def test_the_id_of_the_chunk_wins_over_that_of_bedrock():
    metadata = text({"metadata": {"x-amz-bedrock-kb-chunk-id": "chunk"}, "location": {}})
    found = documents({"id": "s3://file", "score": 0.5, "metadata": metadata})
    assert retrieved(found, OPENINFERENCE + "bedrock", "bedrock.retrieve").hits == (Hit("chunk", 0.5),)


@pytest.mark.parametrize(("has_parent", "kind"), [(False, "request"), (True, "generation")])
def test_what_bedrock_answers_itself(has_parent, kind):
    found = documents({"id": "a"}, {"id": "b"}) | {"output.value": "So."}
    record = retrieved(found, OPENINFERENCE + "bedrock", "bedrock.retrieve_and_generate", has_parent=has_parent)
    assert (record.kind, record.query, record.answer, record.cited) == (kind, "What?", "So.", ("a", "b"))
    assert record.hits is None


def test_citations_of_which_one_was_lost_are_not_known():
    found = documents(None, {"id": "b"})
    record = retrieved(found, OPENINFERENCE + "bedrock", "bedrock.retrieve_and_generate")
    assert (record.cited, record.problems) == (None, ("dropped.citations",))


def test_rerankers():
    attributes = {
        "openinference.span.kind": "RERANKER",
        "reranker.query": "What?",
        "reranker.top_k": 2,
        **documents({"id": "a", "content": "A"}, {"id": "b"}, prefix="reranker.input_documents."),
        **documents({"id": "b", "score": 0.5}, prefix="reranker.output_documents."),
    }
    record = openinference.read(span("openinference.app", attributes))
    assert (record.kind, record.query, record.top_k) == ("rerank", "What?", 2)
    assert record.input_hits == (Hit("a", None, "A"), Hit("b"))
    assert record.hits == (Hit("b", 0.5),)
    lost = openinference.read(span("openinference.app", attributes, dropped_attributes=3))
    assert (lost.hits, lost.input_hits, lost.problems) == (None, None, ("dropped.ranking",))


NODES = ["<NodeWithScore(node=TextNode(id_=a), score=0.5)>", "<NodeWithScore(node=TextNode(id_=b), score=0.25)>"]


@pytest.mark.parametrize(
    ("output", "ids", "top_k", "problems"),
    [
        (text(NODES[:1]), ["a"], 2, ()),
        (text(NODES[1:]), ["b"], 2, ()),
        ("[]", [], 2, ()),
        (text(NODES), ["a", "b"], None, ()),
        (text([NODES[0].replace("0.5", "9.0")]), ["a"], None, ()),
        (text(NODES)[:-7], None, None, ("cut.ranking",)),
        (text([*NODES, "<Other>"]), None, None, ("cut.ranking",)),
    ],
    ids=["filtered", "filtered the first", "filtered all", "all kept", "scored anew", "cut", "another repr"],
)
def test_postprocessors_of_llamaindex_rerank_or_filter(output, ids, top_k, problems):
    attributes = {
        "openinference.span.kind": "CHAIN",
        "input.value": text({"nodes": NODES, "query_bundle": {"query_str": "What?"}}),
        "output.value": output,
    }
    record = openinference.read(span(LLAMAINDEX, attributes, "LLMRerank._postprocess_nodes", has_parent=True))
    assert (record.kind, record.query, record.top_k, record.problems) == ("rerank", "What?", top_k, problems)
    assert record.input_hits == (Hit("a", 0.5), Hit("b", 0.25))
    assert (record.hits if record.hits is None else [hit.id for hit in record.hits]) == ids


def generated(attributes, scope=LANGCHAIN, name="ChatOpenAI", **rest):
    return openinference.read(span(scope, {"openinference.span.kind": "LLM"} | attributes, name, **rest))


def messages(*said, prefix="llm.input_messages."):
    """Flatten messages of a user."""
    return {f"{prefix}{place}.message.content": content for place, content in enumerate(said) if content is not None}


@pytest.mark.parametrize(
    ("attributes", "rest", "prompt", "answer", "problems"),
    [
        pytest.param(messages("S", "Q") | messages("A", "other", prefix="llm.output_messages."), {}, "S\n\nQ", "A", (), id="whole"),
        pytest.param(messages("S", None, "Q"), {}, None, None, ("dropped.prompt_text",), id="hole"),
        pytest.param(messages("S", "Q") | messages("A", prefix="llm.output_messages."), {"dropped_attributes": 2}, None, "A", ("dropped.prompt_text",), id="attributes lost"),
        pytest.param({}, {"dropped_attributes": 2}, None, None, ("dropped.prompt_text", "dropped.answer"), id="all lost"),
        pytest.param(messages("S", REDACTED), {}, None, None, ("redacted",), id="hidden"),
        pytest.param({}, {}, None, None, ("content_off",), id="no content"),
        pytest.param({}, {"failed": True}, None, None, (), id="failed"),
        pytest.param({"llm.prompts.0.prompt.text": "P", "llm.choices.0.completion.text": "A"}, {}, "P", "A", (), id="completion"),
        pytest.param(
            {
                "llm.input_messages.0.message.contents.0.message_content.type": "text",
                "llm.input_messages.0.message.contents.0.message_content.text": "日本",
                "llm.input_messages.0.message.contents.1.message_content.type": "image",
                "llm.input_messages.0.message.contents.2.message_content.text": "b",
            },
            {}, "日本\nb", None, (), id="parts",
        ),
    ],
)  # fmt: skip
def test_messages(attributes, rest, prompt, answer, problems):
    record = generated(attributes, **rest)
    assert (record.kind, record.prompt_text, record.answer, record.problems) == ("generation", prompt, answer, problems)


def completed(given, returned, **types):
    written = {"input.value": given, "output.value": returned, "input.mime_type": "application/json"}
    return {name: value for name, value in (written | types).items() if value is not None}


JSON_OUTPUT = {"output.mime_type": "application/json"}


@pytest.mark.parametrize(
    ("attributes", "prompt", "answer", "problems"),
    [
        pytest.param(
            completed('{"prompt": "P", "formatted": true}', '{"text": "A"}', **JSON_OUTPUT), "P", "A", (), id="whole"
        ),
        pytest.param(completed('{"prompt": "P"}', "A"), "P", "A", (), id="streamed"),
        pytest.param(
            completed('{"prompt": "P', '{"text": "A"}', **JSON_OUTPUT), None, "A", ("cut.prompt_text",), id="cut"
        ),
        pytest.param(completed(REDACTED, REDACTED), None, None, ("redacted",), id="hidden"),
        pytest.param(completed("[1]", "2.5", **JSON_OUTPUT), None, None, ("content_off",), id="other structures"),
        pytest.param({}, None, None, ("content_off",), id="no content"),
    ],
)
def test_a_model_of_llamaindex_that_completes_texts(attributes, prompt, answer, problems):
    record = generated(attributes, LLAMAINDEX, "MyModel.complete")
    assert (record.kind, record.prompt_text, record.answer, record.problems) == ("generation", prompt, answer, problems)


def test_only_a_completion_is_read_from_what_it_took():
    written = completed('{"prompt": "P"}', '{"text": "A"}', **JSON_OUTPUT)
    assert generated(written, LLAMAINDEX, "MyModel.chat").problems == ("content_off",)
    assert generated(written, LANGCHAIN, "MyModel.complete").problems == ("content_off",)


@pytest.mark.parametrize(
    ("scope", "answer", "decision"),
    [
        (LLAMAINDEX, "Empty Response", "refuse"),
        (LLAMAINDEX, "Full Response", None),
        (LANGCHAIN, "Empty Response", None),
    ],
)
def test_the_answer_of_llamaindex_without_nodes_is_a_refusal(scope, answer, decision):
    told = {"openinference.span.kind": "CHAIN", "input.value": "What?", "output.value": answer}
    record = openinference.read(span(scope, told, "RetrieverQueryEngine.query"))
    assert (record.kind, record.answer, record.decision) == ("request", answer, decision)


@pytest.mark.parametrize(
    ("attributes", "scope", "request_model", "response_model"),
    [
        pytest.param({"llm.model_name": "m-1"}, LANGCHAIN, None, "m-1", id="the response's where known"),
        pytest.param({"llm.model_name": "m-1", "llm.invocation_parameters": '{"model": "m"}'}, LANGCHAIN, "m", "m-1", id="parameters"),
        pytest.param({"llm.model_name": "m"}, LLAMAINDEX, "m", None, id="LlamaIndex names the configured one"),
        pytest.param({"llm.request.model_name": "m", "llm.response.model_name": "m-1", "llm.model_name": "x"}, LANGCHAIN, "m", "m-1", id="both"),
        pytest.param({"llm.invocation_parameters": '{"model": "m'}, LANGCHAIN, None, None, id="cut parameters"),
    ],
)  # fmt: skip
def test_models(attributes, scope, request_model, response_model):
    record = generated(attributes, scope)
    assert (record.request_model, record.response_model) == (request_model, response_model)


@pytest.mark.parametrize(
    ("attributes", "name", "has_parent", "kind"),
    [
        pytest.param({}, "chain", False, "request", id="outermost"),
        pytest.param({}, "RunnableSequence", True, None, id="a step"),
        pytest.param({"openinference.span.kind": "AGENT"}, "agent", True, "request", id="agent"),
        pytest.param({}, "RetrieverQueryEngine.query", True, "request", id="engine inside the application"),
        pytest.param({}, "RetrieverQueryEngine._query", True, None, id="inside the engine"),
        pytest.param({}, "Pipeline.run", True, "request", id="Haystack"),
        pytest.param({"openinference.span.kind": "TOOL"}, "tool", False, None, id="another kind"),
        pytest.param({"openinference.span.kind": ["CHAIN"]}, "odd", False, None, id="odd kind"),
    ],
)
def test_requests(attributes, name, has_parent, kind):
    told = {"openinference.span.kind": "CHAIN", "input.value": "What?", "output.value": "So.", "session.id": "s"}
    record = openinference.read(span(LLAMAINDEX, told | attributes, name, has_parent=has_parent))
    assert record.kind == kind
    assert record.session_id == "s"
    assert (record.query, record.answer) == (("What?", "So.") if kind else (None, None))


@pytest.mark.parametrize(
    ("value", "mime_type", "query", "problems"),
    [
        ('{"input": "What?"}', "application/json", "What?", ()),
        ('{"input": "Wha', "application/json", None, ("cut.query",)),
        ('["not JSON by its type"', None, '["not JSON by its type"', ()),
        (REDACTED, "application/json", None, ("redacted",)),
        ('"What?"', "application/json", "What?", ()),
    ],
)
def test_inputs_are_json_where_their_type_says_so(value, mime_type, query, problems):
    attributes = {"openinference.span.kind": "CHAIN", "input.value": value, "input.mime_type": mime_type}
    record = openinference.read(span(LANGCHAIN, attributes))
    assert (record.query, record.problems) == (query, problems)


def test_metadata_names_the_request():
    metadata = {"case_id": "c-é", "run_id": 7, "prompt_version": "v", "snapshot_id": "s"}
    attributes = {"openinference.span.kind": "EMBEDDING", "metadata": text(metadata), "prompt.id": "p"}
    record = openinference.read(span(LANGCHAIN, attributes))
    assert (record.kind, record.case_id, record.run_id) == (None, "c-é", "7")
    assert (record.prompt_version, record.snapshot_id, record.prompt_name) == ("v", "s", "p")
    assert openinference.read(span(LANGCHAIN, {"metadata": text(metadata)[:20]})) is None


def test_a_step_that_takes_documents_shows_their_ids():
    attributes = {"openinference.span.kind": "CHAIN", "input.value": text(OUTPUT["documents"]), "output.value": "B\nA"}
    record = openinference.read(span(LANGCHAIN, attributes, "format_docs", has_parent=True))
    assert [hit.id for hit in record.input_hits] == ["a", "b"]
    assert [hit.id for hit in record.prompt_hits] == ["b", "a"]
    partly = openinference.read(span(LANGCHAIN, attributes | {"output.value": "A"}, "format_docs", has_parent=True))
    assert partly.prompt_hits is None
    assert [hit.id for hit in partly.input_hits] == ["a", "b"]


@pytest.mark.parametrize(
    ("attributes", "name"),
    [
        ({"input.value": '{"text": "A document."}', "output.value": '["A document."]'}, "SentenceSplitter.split_text"),
        (
            {"input.value": '{"data": {"writer": {"documents": ["Document(id=a)"]}}}', "output.value": "{}"},
            "Pipeline.run",
        ),
    ],
)
def test_a_chain_that_neither_asks_nor_answers_is_no_request(attributes, name):
    types = {
        "openinference.span.kind": "CHAIN",
        "input.mime_type": "application/json",
        "output.mime_type": "application/json",
    }
    assert openinference.read(span(LLAMAINDEX, types | attributes, name)) is None


@pytest.mark.parametrize(("scope", "template"), [(LANGCHAIN, None), ("openinference.app", "{context}")])
def test_the_template_of_langchain_is_its_first_message_only(scope, template):
    assert generated({"llm.prompt_template.template": "{context}"}, scope).prompt_template == template
