import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions import llamaindex
from otel_ragfault.conventions.llamaindex_events import claims, read
from otel_ragfault.conventions.record import Hit

SCOPE = "llamaindex.opentelemetry.tracer"
NODE = {"node": {"id_": "a", "text": "A"}, "score": 0.5}


def fired(*events, name="X.method", **rest):
    return span(SCOPE, name=name, events=[{"name": kind, "attributes": fields} for kind, fields in events], **rest)


def test_its_spans_are_told_by_their_scope():
    assert claims(span(SCOPE))
    assert not claims(span("other"))


@pytest.mark.parametrize(
    ("fields", "rest", "hits", "problems"),
    [
        ({"nodes": text([NODE])}, {}, (Hit("a", 0.5, "A"),), ()),
        ({"nodes": [NODE]}, {}, (Hit("a", 0.5, "A"),), ()),
        ({"nodes": "[]"}, {}, (), ()),
        ({"nodes": text([NODE])[:-4]}, {}, None, ("cut.ranking",)),
        ({}, {}, None, ("content_off",)),
        ({}, {"dropped_events": 1}, None, ("dropped.ranking",)),
        ({}, {"failed": True}, None, ()),
    ],
)
def test_retrievals(fields, rest, hits, problems):
    start = ("RetrievalStartEvent", {"str_or_query_bundle.query_str": "q"})
    record = read(fired(start, ("RetrievalEndEvent", fields), **rest))
    assert (record.kind, record.query, record.hits, record.problems) == ("retrieval", "q", hits, problems)


def test_a_retrieval_whose_end_was_not_recorded():
    record = read(fired(("RetrievalStartEvent", {"str_or_query_bundle": "q"}), dropped_events=3))
    assert (record.query, record.hits, record.problems) == ("q", None, ("dropped.ranking",))


def test_a_structured_reranker_tells_what_went_in_and_out():
    other = {"node": {"id_": "b", "text": "B"}, "score": 0.1}
    start = ("ReRankStartEvent", {"query": "q", "nodes": text([NODE, other]), "top_n": 1})
    record = read(fired(start, ("ReRankEndEvent", {"nodes": text([NODE])})))
    assert (record.kind, record.query, record.top_k) == ("rerank", "q", 1)
    assert ([hit.id for hit in record.hits], [hit.id for hit in record.input_hits]) == (["a"], ["a", "b"])


def test_a_plain_reranker_shows_only_that_it_ran():
    record = read(fired(name="LLMRerank._postprocess_nodes"))
    assert (record.kind, record.hits, record.problems) == ("rerank", None, ())


def test_a_completion():
    start = ("LLMCompletionStartEvent", {"prompt": "p", "model_dict.model_name": "m"})
    record = read(fired(start, ("LLMCompletionEndEvent", {"response.text": "a", "response.additional_kwargs": "null"})))
    assert (record.kind, record.prompt_text, record.answer, record.request_model) == ("generation", "p", "a", "m")


def test_the_chat_of_an_agent_is_a_request():
    start = ("AgentChatWithStepStartEvent", {"user_msg": "q"})
    record = read(fired(start, ("AgentChatWithStepEndEvent", {"response.response": "a"})))
    assert (record.kind, record.query, record.answer) == ("request", "q", "a")


def test_the_word_null_is_nothing():
    record = read(fired(("QueryStartEvent", {"query": "null"}), ("QueryEndEvent", {"response.response": "null"})))
    assert (record.query, record.answer, record.problems) == (None, None, ("content_off",))


@pytest.mark.parametrize(
    ("name", "twin", "rerank", "synthesis"),
    [
        ("VectorIndexRetriever._retrieve", True, False, False),
        ("VectorIndexRetriever._aretrieve", True, False, False),
        ("VectorIndexRetriever.retrieve", False, False, False),
        ("OpenAI.predict", True, False, False),
        ("OpenAI.apredict", True, False, False),
        ("OpenAI.chat", False, False, False),
        ("LLMRerank._postprocess_nodes", False, True, False),
        ("CompactAndRefine.synthesize", False, False, True),
        ("Refine.asynthesize", False, False, True),
        ("retrieve", False, False, False),
    ],
)
def test_methods(name, twin, rerank, synthesis):
    assert (llamaindex.is_twin(name), llamaindex.is_rerank(name), llamaindex.is_synthesis(name)) == (
        twin,
        rerank,
        synthesis,
    )


@pytest.mark.parametrize(
    ("kind", "answer", "chooses"),
    [
        ("choice_select", "", True),
        ("custom", "Doc: 1, Relevance: 8\nDoc: 4, Relevance: 6.5", True),
        ("custom", "Doc: 1 says so", False),
        (None, None, False),
        ([], {}, False),
    ],
)
def test_a_reranker_is_asked_to_choose(kind, answer, chooses):
    assert llamaindex.chooses({"metadata": {"prompt_type": kind}}, answer) is chooses
