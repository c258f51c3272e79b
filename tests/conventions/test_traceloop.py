"""Odd shapes of OpenLLMetry."""

import pytest

from conventions.shapes import OPENLLMETRY, span, text
from otel_ragfault.conventions import traceloop
from otel_ragfault.conventions.record import Hit

LANGCHAIN = OPENLLMETRY + "langchain"
LLAMAINDEX = OPENLLMETRY + "llamaindex"


def result(event="db.query.result", **fields):
    """Write an event of a search."""
    return {"name": event, "attributes": {f"{event}.{name}": value for name, value in fields.items()}}


def searched(events, system="chroma", operation="query", attributes=None, **rest):
    told = {"db.system": system, "db.operation": operation} | (attributes or {})
    return traceloop.read(span(OPENLLMETRY + system, told, f"{system}.{operation}", events=events, **rest))


@pytest.mark.parametrize(
    ("record", "hits", "score_kind", "problems"),
    [
        pytest.param(searched([result(id="a", distance=0.5, document="A"), result(id="b", distance=0.75)]), (Hit("a", 0.5, "A"), Hit("b", 0.75)), "distance", (), id="Chroma"),
        pytest.param(searched([result(id="a", score=0.5, metadata="{'text': 'it\\'s', 'page': 1}")], "pinecone"), (Hit("a", 0.5, "it's"),), None, (), id="Pinecone: metadata is a repr"),
        pytest.param(searched([result(id="a", score=0.5, metadata="{'text': 'it")], "pinecone"), (Hit("a", 0.5),), None, (), id="Pinecone: metadata is cut"),
        pytest.param(searched([result(id="a", distance=0.5, metadata='{"text": "\\u65e5"}')]), (Hit("a", 0.5, "日"),), "distance", (), id="metadata is JSON"),
        pytest.param(searched([result("db.search.result", id=3, distance="0.25", entity="{'text': 'A'}")], "milvus", "search"), (Hit("3", 0.25, "A"),), None, (), id="Milvus: distance is text"),
        pytest.param(
            searched([{"name": "db.search.result", "attributes": {"db.search.result.id": n, "db.search.query.id": n}} for n in range(2)], "milvus", "search"),
            None, None, ("several_queries",), id="Milvus: several queries",
        ),
        pytest.param(searched([result(id="a")], attributes={"db.chroma.query.embeddings_count": 2}), None, None, ("several_queries",), id="Chroma: several queries"),
        pytest.param(searched([result(id="a", distance=1)], dropped_events=22), None, None, ("dropped.ranking",), id="events lost"),
        pytest.param(searched([]), None, None, ("content_off",), id="no results recorded"),
        pytest.param(searched([], "qdrant", "search"), None, None, ("content_off",), id="Qdrant records none"),
        pytest.param(searched([], failed=True), None, None, (), id="failed"),
    ],
)  # fmt: skip
def test_vector_databases(record, hits, score_kind, problems):
    assert (record.kind, record.hits, record.score_kind, record.problems) == ("retrieval", hits, score_kind, problems)


def test_the_parts_of_a_hybrid_search_are_one_search():
    record = searched(
        [result("db.search.result", id=1, distance="0.5")],
        "milvus",
        "hybrid_search",
        {"db.milvus.search.data_count": 2, "db.milvus.search.limit": 5},
    )
    assert (record.hits, record.top_k) == ((Hit("1", 0.5),), 5)


@pytest.mark.parametrize(("system", "operation"), [("chroma", "add"), ("milvus", "query"), ("pinecone", "upsert")])
def test_what_ranks_nothing_is_no_retrieval(system, operation):
    events = [{"name": "db.query.result", "attributes": {"id": 1}}] if system == "milvus" else []
    assert searched(events, system, operation) is None


DOCUMENTS = {
    "documents": [{"page_content": "A", "metadata": {"chunk_id": "a"}}, {"page_content": "B", "metadata": {}}],
    "count": 2,
}


@pytest.mark.parametrize(
    ("attributes", "rest", "ids", "problems"),
    [
        pytest.param({"traceloop.entity.output": text(DOCUMENTS)}, {}, ["a", None], (), id="text"),
        pytest.param({"traceloop.entity.output": DOCUMENTS}, {}, ["a", None], (), id="structured"),
        pytest.param({"traceloop.entity.output": text(DOCUMENTS)[:-20]}, {}, None, ("cut.ranking",), id="cut"),
        pytest.param({"traceloop.entity.output": '{"documents": [], "count": 0}'}, {}, [], (), id="found nothing"),
        pytest.param({}, {}, None, (), id="not recorded"),
        pytest.param({}, {"dropped_attributes": 1}, None, ("dropped.ranking",), id="lost"),
        pytest.param({"traceloop.entity.input": None}, {}, None, ("content_off",), id="no content"),
        pytest.param({"traceloop.entity.input": '{"query": "Wh'}, {}, None, ("cut.query",), id="cut question"),
    ],
)
def test_retrievers_of_langchain(attributes, rest, ids, problems):
    told = {"gen_ai.operation.name": "vector_db_retrieve", "traceloop.entity.input": '{"query": "What?", "tags": []}'}
    record = traceloop.read(span(LANGCHAIN, told | attributes, **rest))
    assert (record.kind, record.problems) == ("retrieval", problems)
    assert (record.hits if record.hits is None else [hit.id for hit in record.hits]) == ids
    assert record.query == (None if "traceloop.entity.input" in attributes else "What?")


def document(chunk_id, page_content):
    """Write a LangChain document as its constructor."""
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["Document"],
        "kwargs": {"id": chunk_id, "page_content": page_content},
    }


@pytest.mark.parametrize(
    ("output", "prompt_ids"),
    [
        pytest.param({"outputs": "B then A"}, ["b", "a"], id="a text that holds them"),
        pytest.param({"outputs": "A"}, None, id="a text without one"),
        pytest.param({"outputs": [1]}, None, id="no text"),
        pytest.param(None, None, id="not recorded"),
    ],
)
def test_the_next_task_shows_the_ids(output, prompt_ids):
    attributes = {
        "gen_ai.operation.name": "execute_task",
        "traceloop.entity.input": text({"inputs": [document("a", "A"), document("b", "B")], "tags": []}),
        "traceloop.entity.output": output and text(output),
    }
    record = traceloop.read(span(LANGCHAIN, attributes))
    assert record.kind is None
    assert record.input_hits == (Hit("a", None, "A"), Hit("b", None, "B"))
    assert (record.prompt_hits and [hit.id for hit in record.prompt_hits]) == prompt_ids


OLD = {
    "llm.request.type": "chat",
    "gen_ai.prompt.0.role": "system",
    "gen_ai.prompt.0.content": "S",
    "gen_ai.prompt.1.role": "user",
    "gen_ai.prompt.1.content": '[{"type": "text", "text": "Q"}]',
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": "A \u65e5",
    "gen_ai.usage.prompt_tokens": 7,
    "gen_ai.usage.completion_tokens": 3,
    "gen_ai.response.model": "m",
}  # fmt: skip


@pytest.mark.parametrize(
    ("without", "rest", "prompt", "answer", "problems"),
    [
        pytest.param((), {}, "S\n\nQ", "A 日", (), id="whole"),
        pytest.param(("llm.request.type",), {}, "S\n\nQ", "A 日", (), id="told by its keys"),
        pytest.param(
            ("gen_ai.prompt.0.role", "gen_ai.prompt.0.content"),
            {},
            None,
            "A 日",
            ("dropped.prompt_text",),
            id="first message lost",
        ),
        pytest.param((), {"dropped_attributes": 1}, None, "A 日", ("dropped.prompt_text",), id="attributes lost"),
        pytest.param(
            [key for key in OLD if key.startswith(("gen_ai.prompt.", "gen_ai.completion."))],
            {},
            None,
            None,
            ("content_off",),
            id="no content",
        ),
    ],
)
def test_flattened_messages_of_old(without, rest, prompt, answer, problems):
    attributes = {key: value for key, value in OLD.items() if key not in without}
    record = traceloop.read(span(LANGCHAIN, attributes, **rest))
    assert (record.kind, record.prompt_text, record.answer, record.problems) == ("generation", prompt, answer, problems)
    assert (record.input_tokens, record.output_tokens, record.finish_reasons) == (7, 3, None)


def node(chunk_id, said, score):
    """Write a LlamaIndex node as JSON text."""
    return text({"node": {"id_": chunk_id, "text": said}, "score": score})


NODES = [node("a", "A", 0.5), node("b", "B", 0.25)]


@pytest.mark.parametrize(
    ("taken", "output", "hits", "twin", "problems"),
    [
        pytest.param({"str_or_query_bundle": "What?"}, text(NODES[:1]), (Hit("a", 0.5, "A"),), False, (), id="outer"),
        pytest.param(
            {"query_bundle": {"query_str": "What?"}}, text(NODES[:1]), (Hit("a", 0.5, "A"),), True, (), id="inner"
        ),
        pytest.param({"str_or_query_bundle": "What?"}, "[]", (), False, (), id="found nothing"),
        pytest.param({"str_or_query_bundle": "What?"}, text(NODES)[:-9], None, False, ("cut.ranking",), id="cut"),
        pytest.param(
            {"str_or_query_bundle": "What?"},
            text([NODES[0], NODES[1][:-5]]),
            None,
            False,
            ("cut.ranking",),
            id="a node is cut",
        ),
        pytest.param({"str_or_query_bundle": "What?"}, None, None, False, (), id="not recorded"),
    ],
)
def test_retrievers_of_llamaindex(taken, output, hits, twin, problems):
    attributes = {
        "traceloop.entity.name": "MyRetriever.task",
        "traceloop.entity.input": text(taken),
        "traceloop.entity.output": output,
    }
    record = traceloop.read(span(LLAMAINDEX, attributes))
    assert (record.kind, record.query, record.hits, record.twin) == ("retrieval", "What?", hits, twin)
    assert record.problems == problems


@pytest.mark.parametrize(
    ("output", "kind", "hits"),
    [
        pytest.param(text(NODES[1:]), "rerank", (Hit("b", 0.25, "B"),), id="reranker"),
        pytest.param(text(NODES)[:-9], "rerank", None, id="reranker, cut"),
        pytest.param(text({"response": "So."}), None, None, id="synthesizer"),
        pytest.param(None, None, None, id="nothing came back"),
    ],
)
def test_what_takes_nodes_is_a_reranker_or_a_synthesizer(output, kind, hits):
    attributes = {
        "traceloop.entity.input": text({"nodes": NODES, "query_str": "What?"}),
        "traceloop.entity.output": output,
    }
    record = traceloop.read(span(LLAMAINDEX, attributes, "Some.task"))
    taken = (Hit("a", 0.5, "A"), Hit("b", 0.25, "B"))
    assert (record.kind, record.hits) == (kind, hits)
    assert (record.input_hits, record.prompt_hits) == ((taken, None) if kind else (None, taken))
    assert record.top_k == (2 if hits else None)  # one was left out, with the scores as they were: a filter


@pytest.mark.parametrize(
    ("attributes", "query", "answer", "problems"),
    [
        pytest.param(
            {
                "traceloop.entity.input": '{"inputs": "What?", "kwargs": {}}',
                "traceloop.entity.output": '{"outputs": "So."}',
            },
            "What?",
            "So.",
            (),
            id="LangChain",
        ),
        pytest.param(
            {"traceloop.entity.input": '{"args": ["What?"], "kwargs": {}}', "traceloop.entity.output": '"So."'},
            "What?",
            "So.",
            (),
            id="decorator",
        ),
        pytest.param(
            {"traceloop.entity.input": '{"args": ["Wha', "traceloop.entity.output": '{"outp'},
            None,
            None,
            ("cut.query", "cut.answer"),
            id="cut",
        ),
        pytest.param({}, None, None, ("content_off",), id="no content"),
    ],
)
@pytest.mark.parametrize("has_parent", [False, True])
def test_workflows(attributes, query, answer, problems, has_parent):
    told = {"traceloop.span.kind": "workflow"} | attributes
    record = traceloop.read(span("traceloop.tracer", told, has_parent=has_parent))
    assert (record.kind, record.query, record.answer, record.problems) == ("request", query, answer, problems)


def test_association_properties_and_managed_prompts_name_the_request():
    attributes = {
        "traceloop.span.kind": "task",
        "traceloop.association.properties.case_id": "c",
        "traceloop.association.properties.run_id": 7,
        "traceloop.association.properties.session_id": "s",
        "traceloop.prompt.key": "p",
        "traceloop.prompt.version": 3,
        "traceloop.prompt.template": "{context}",
        "ragfault.case_id": "ours",
    }
    record = traceloop.read(span(LANGCHAIN, attributes))
    assert (record.kind, record.case_id, record.run_id, record.session_id) == (None, "ours", "7", "s")
    assert (record.prompt_name, record.prompt_version, record.prompt_template) == ("p", "3", "{context}")


@pytest.mark.parametrize(
    ("scope", "attributes", "claimed"),
    [
        (OPENLLMETRY + "langchain", {}, True),
        (OPENLLMETRY + "openai.v1", {}, True),
        (OPENLLMETRY + "genai.langchain", {}, False),
        (OPENLLMETRY + "openai_v2", {}, False),
        ("traceloop.tracer", {}, True),
        ("app", {"traceloop.span.kind": "task"}, True),
        ("app", {"gen_ai.operation.name": "chat"}, False),
    ],
)
def test_claims(scope, attributes, claimed):
    assert traceloop.claims(span(scope, attributes)) is claimed


def test_a_workflow_that_neither_asks_nor_answers_is_no_request():
    filling = {
        "traceloop.span.kind": "workflow",
        "traceloop.entity.input": '{"text": "A long document."}',
        "traceloop.entity.output": "[]",
    }
    assert traceloop.read(span(LLAMAINDEX, filling)) is None


def test_a_reranker_without_ids_is_a_ranking_that_is_not_known():
    attributes = {
        "llm.request.type": "rerank",
        "gen_ai.prompt.0.content": "A",
        "gen_ai.completion.0.content": "Doc 0, Score: 1",
    }
    record = traceloop.read(span(OPENLLMETRY + "cohere", attributes))
    assert (record.kind, record.hits, record.answer) == ("rerank", None, None)
