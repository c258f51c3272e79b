import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions.haystack import claims, read
from otel_ragfault.conventions.record import Hit

DOCUMENTS = [{"source": "s", "id": "a", "content": "A", "score": 2.0}, {"id": "b", "content": "B", "score": None}]
HITS = (Hit("a", 2.0, "A"), Hit("b", None, "B"))


def component(kind, given=None, returned=None, **rest):
    attributes = {"haystack.component.type": kind}
    if given is not None:
        attributes["haystack.component.input"] = text(given)
    if returned is not None:
        attributes["haystack.component.output"] = text(returned)
    return span("my_application", attributes, name="haystack.component.run", **rest)


@pytest.mark.parametrize(
    ("name", "attributes", "claimed"),
    [
        ("haystack.pipeline.run", {}, True),
        ("haystack.component.run", {}, True),
        ("renamed", {"haystack.component.type": "X"}, True),
        ("renamed", {}, False),
    ],
)
def test_its_spans_are_told_by_name_or_attribute(name, attributes, claimed):
    assert claims(span("anything", attributes, name=name)) is claimed


@pytest.mark.parametrize(
    ("name", "given", "returned", "kind"),
    [
        ("InMemoryBM25Retriever", {"query": "q"}, {"documents": DOCUMENTS}, "retrieval"),
        ("QdrantEmbeddingRetriever", {"query_embedding": [0.1]}, {"documents": DOCUMENTS}, "retrieval"),
        ("SerperDevWebSearch", {"query": "q"}, {"documents": DOCUMENTS, "links": []}, "retrieval"),
        (
            "SentenceTransformersSimilarityRanker",
            {"query": "q", "documents": DOCUMENTS},
            {"documents": DOCUMENTS},
            "rerank",
        ),
        ("LostInTheMiddleRanker", {"documents": DOCUMENTS}, {"documents": DOCUMENTS}, "rerank"),
        ("DocumentJoiner", {"documents": [DOCUMENTS, DOCUMENTS]}, {"documents": DOCUMENTS}, "rerank"),
        ("DocumentSplitter", {"documents": DOCUMENTS}, {"documents": DOCUMENTS}, None),
        ("TextFileToDocument", {"sources": ["x"]}, {"documents": DOCUMENTS}, None),
        ("DocumentWriter", {"documents": DOCUMENTS}, {"documents_written": 2}, None),
        ("PromptBuilder", {"documents": DOCUMENTS}, {"prompt": "A B"}, "assembly"),
        ("OpenAIGenerator", {"prompt": "p"}, {"replies": ["r"], "meta": [{}]}, "generation"),
        ("SentenceTransformersTextEmbedder", {"text": "q"}, {"embedding": [0.1]}, None),
    ],
)
def test_what_a_component_is_follows_from_its_inputs_and_outputs(name, given, returned, kind):
    record = read(component(name, given, returned))
    assert (record.kind if record else None) == kind


def test_a_joiner_has_no_single_ranking_that_went_in():
    record = read(component("DocumentJoiner", {"documents": [DOCUMENTS, DOCUMENTS]}, {"documents": DOCUMENTS}))
    assert (record.hits, record.input_hits) == (HITS, None)


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("InMemoryBM25Retriever", {"query": "q", "top_k": 3}, "bm25"),
        ("InMemoryBM25Retriever", {"query": "q", "scale_score": True}, None),
        ("PgvectorEmbeddingRetriever", {"query_embedding": [0.1]}, None),
    ],
)
def test_the_kind_of_score_is_known_of_bm25_only(name, given, kind):
    record = read(component(name, given, {"documents": DOCUMENTS}))
    assert (record.score_kind, record.hits, record.top_k) == (kind, HITS, given.get("top_k"))


def test_metadata_in_the_place_of_an_id_is_reported():
    record = read(
        component("XRetriever", {"query": "q"}, {"documents": [{"id": {"page": 1}, "content": "A", "score": 1}]})
    )
    assert record.hits == (Hit(None, 1.0, "A"),)
    assert record.problems == ("collision.ranking",)


@pytest.mark.parametrize(
    ("prompt", "ids"),
    [
        ("Sources: A\n  and B", ("a", "b")),
        ("Sources: A only", None),  # the template took one of them
        ("B, then A", None),  # or turned them
        (None, ("a", "b")),
    ],
)
def test_prompt_ids_are_taken_where_the_prompt_shows_them_all(prompt, ids):
    record = read(component("PromptBuilder", {"docs": DOCUMENTS, "question": "q"}, {"prompt": prompt}))
    assert record.prompt_ids == ids
    assert record.prompt_hits == HITS
    assert record.prompt_text == prompt


def test_two_lists_of_documents_are_not_put_in_an_order():
    record = read(component("PromptBuilder", {"docs": DOCUMENTS, "more": DOCUMENTS}, {"prompt": "A B"}))
    assert (record.prompt_ids, record.prompt_hits) == (None, None)


@pytest.mark.parametrize(
    ("documents", "cited"),
    [
        (
            [
                {"id": "b", "meta": {"source_index": 2, "referenced": True}},
                {"id": "a", "meta": {"source_index": 1, "referenced": True}},
            ],
            ("a", "b"),
        ),
        ([{"id": "a", "meta": {"source_index": 1, "referenced": False}}], ()),
        ([{"id": "a", "meta": {"source_index": 1}}], None),  # no pattern was given: nobody looked
        ([], None),
        (None, None),
    ],
)
def test_referenced_documents_are_cited(documents, cited):
    record = read(
        component(
            "AnswerBuilder", {"replies": ["r"]}, {"answers": [{"data": "r", "query": "q", "documents": documents}]}
        )
    )
    assert (record.kind, record.answer, record.cited) == (None, "r", cited)


def test_a_generator_of_plain_texts():
    meta = [{"model": "m-1", "finish_reason": "length", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}]
    record = read(component("OpenAIGenerator", {"prompt": "p"}, {"replies": ["r"], "meta": meta}))
    assert (record.prompt_text, record.answer, record.finish_reasons) == ("p", "r", ("length",))
    assert (record.response_model, record.input_tokens, record.output_tokens) == ("m-1", 3, 4)


def test_a_reply_that_asks_for_a_tool_is_internal():
    reply = {"role": "assistant", "content": [{"tool_call": {"tool_name": "search", "arguments": {}}}]}
    result = {"role": "tool", "content": [{"tool_call_result": {"result": "found", "error": False}}]}
    record = read(component("OpenAIChatGenerator", {"messages": [result]}, {"replies": [reply]}))
    assert (record.internal, record.answer, record.prompt_text, record.problems) == (True, None, "found", ())


def test_an_empty_reply_is_an_answer():
    assert read(component("OpenAIGenerator", {"prompt": "p"}, {"replies": [""]})).answer == ""


@pytest.mark.parametrize(
    ("given", "query"),
    [
        ({"a": {"query": "q"}, "b": {"question": "q"}}, "q"),
        ({"a": {"query": "q"}, "b": {"question": "other"}}, None),
        ({"a": {"top_k": 3}}, None),
    ],
)
def test_the_question_of_a_pipeline_is_what_all_components_were_asked(given, query):
    attributes = {
        "haystack.pipeline.input_data": text(given),
        "haystack.pipeline.output_data": text({"llm": {"replies": ["r"]}}),
    }
    record = read(span("x", attributes, name="haystack.pipeline.run"))
    assert (record.kind, record.query, record.answer) == ("request", query, "r")
