"""Values as they arrive."""

import math

import pytest

from otel_ragfault.conventions import parsing, parsing_documents, parsing_messages, parsing_request
from otel_ragfault.conventions.record import Hit


@pytest.mark.parametrize(
    ("value", "parsed", "cut"),
    [
        pytest.param('[{"id": 1}]', [{"id": 1}], False, id="text"),
        pytest.param([{"id": 1}], [{"id": 1}], False, id="structured list"),
        pytest.param({"id": 1}, {"id": 1}, False, id="structured object"),
        pytest.param({}, None, False, id="empty object is nothing"),
        pytest.param(None, None, False, id="null"),
        pytest.param("", None, False, id="empty text"),
        pytest.param("null", None, False, id="null in text"),
        pytest.param('[{"id": "a"}, {"i', None, True, id="cut"),
        pytest.param("{'id': 'a'}", None, True, id="a Python repr is not JSON"),
        pytest.param('["\\u00e9\\ud83d\\ude00"]', ["é😀"], False, id="escapes"),
        pytest.param('["caf\\ud83d"]', ["caf\ufffd"], False, id="half of a pair"),
        pytest.param('["\\ude00caf"]', ["\ufffdcaf"], False, id="other half of a pair"),
        pytest.param("[NaN, -Infinity, 1]", [None, None, 1], False, id="what JSON lacks"),
        pytest.param('["a\nb"]', ["a\nb"], False, id="a raw line break"),
        pytest.param('["日本', None, True, id="cut inside a text"),
        pytest.param({"$double": "NaN"}, None, False, id="marker of a double"),
        pytest.param({"$bytes": "AA=="}, None, False, id="marker of bytes"),
        pytest.param(7, None, False, id="a number"),
        pytest.param(True, None, False, id="a truth value"),
        pytest.param("[" * 5000, None, True, id="deep and cut"),
        pytest.param("[" * 200_000 + "]" * 200_000, None, True, id="too deep"),
    ],
)
def test_a_value_is_json_or_structured_or_nothing_or_cut(value, parsed, cut):
    assert parsing.decode(value) == (parsed, cut)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        pytest.param(
            "{'text': 'it''s', 'n': 1.5, 'ok': True, 'no': None}",
            {"text": "its", "n": 1.5, "ok": True, "no": None},
            id="dict",
        ),
        pytest.param("{'text': \"it's\"}", {"text": "it's"}, id="both quotes"),
        pytest.param("{'text': 'caf\\xe9 \\u65e5'}", {"text": "café 日"}, id="escapes"),
        pytest.param("{'text': 'cut", None, id="cut"),
        pytest.param("__import__('os').getcwd()", None, id="code is not run"),
        pytest.param("(" * 10_000, None, id="deep"),
        pytest.param("{'a': " + "'x'*10}", None, id="arithmetic"),
        pytest.param("\x00", None, id="null byte"),
        pytest.param("{[]: 1}", None, id="unhashable key"),
        pytest.param(5, None, id="no text"),
        pytest.param("[" + "1," * 100_000 + "]", None, id="too long"),
    ],
)
def test_a_repr_of_plain_values_is_read_and_nothing_else(value, said):
    assert parsing.python_literal(value) == said


@pytest.mark.parametrize(
    ("value", "number"),
    [(1, 1.0), (0.5, 0.5), ("0.25", 0.25), (" 2 ", 2.0), ("nan", None), (math.inf, None), (True, None), ("x", None),
     (None, None), ([1], None), ({"$double": "NaN"}, None), (10**400, None)],
)  # fmt: skip
def test_numbers_are_finite(value, number):
    assert parsing.number_of(value) == number


@pytest.mark.parametrize(
    ("value", "count"), [(4, 4), (4.0, 4), ("4", 4), (4.5, None), (-1, None), (True, None), ("", None), (None, None)]
)
def test_counts_are_whole(value, count):
    assert parsing.count_of(value) == count


@pytest.mark.parametrize(
    ("value", "name"),
    [("a", "a"), (" a", " a"), ("", None), (12, "12"), (0, "0"), (True, None), (1.0, None), (None, None), ([], None),
     (parsing.REDACTED, None)],
)  # fmt: skip
def test_an_identifier_is_a_text_or_an_integer(value, name):
    assert parsing.name_of(value) == name


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (["stop"], ("stop",)),
        ('["stop", "length"]', ("stop", "length")),
        ("stop", ("stop",)),
        ([""], None),
        ([], None),
        (None, None),
        ([1, "stop"], ("stop",)),
    ],
)
def test_lists_of_names(value, names):
    assert parsing.names_of(value) == names


KEYS = {
    "d.0.id": "a",
    "d.1.id": "b",
    "d.1.m.x": 1,
    "d.10.id": "k",
    "d.x.id": "no",
    "d.01.id": "no",
    "d.2": "no",
    "e.0.id": "no",
}


def test_flattened_keys_keep_their_index():
    assert parsing.flattened(KEYS, "d.") == {0: {"id": "a"}, 1: {"id": "b", "m.x": 1}, 10: {"id": "k"}}


@pytest.mark.parametrize(
    ("found", "items"),
    [
        pytest.param({0: {"id": "a"}, 1: {"id": "b"}}, ["a", "b"], id="whole"),
        pytest.param({1: {"id": "b"}, 0: {"id": "a"}}, ["a", "b"], id="keys in any order"),
        pytest.param({1: {"id": "b"}}, None, id="top lost"),
        pytest.param({0: {"id": "a"}, 2: {"id": "c"}}, None, id="hole"),
        pytest.param({999_999_999: {"id": "z"}}, None, id="a huge index costs nothing"),
        pytest.param({}, None, id="none"),
    ],
)
def test_ranks_are_never_renumbered(found, items):
    ordered = parsing.whole(found)
    assert (ordered and [one["id"] for one in ordered]) == items


def test_an_index_of_many_digits_is_none():
    assert parsing.flattened({"d." + "9" * 5000 + ".id": 1, "d.٣.id": 1, "d.-1.id": 1}, "d.") == {}


def test_identity_prefers_our_own_names_and_the_first_source():
    spellings = {"case_id": "later", "ragfault.case_id": "ours", "thread_id": 7, "run_id": ""}
    assert parsing.identity(spellings, {"run_id": "r", "case_id": "other"}) == {
        "case_id": "ours",
        "session_id": "7",
        "run_id": "r",
    }
    assert parsing.identity({"p.case_id": "c", "case_id": "no"}, prefix="p.") == {"case_id": "c"}
    assert parsing.identity({"case_id": {"$bytes": ""}, "session.id": ["x"]}) == {}


@pytest.mark.parametrize(
    ("message", "said"),
    [
        pytest.param(
            {"role": "user", "parts": [{"type": "text", "content": "a"}, {"type": "text", "content": "b"}]},
            "a\nb",
            id="parts",
        ),
        pytest.param({"role": "user", "content": "a"}, "a", id="content"),
        pytest.param({"role": "user", "content": ""}, "", id="an empty text is one"),
        pytest.param(
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]}, "a", id="OpenAI"
        ),
        pytest.param({"role": "user", "blocks": [{"block_type": "text", "text": "a"}]}, "a", id="LlamaIndex"),
        pytest.param({"lc": 1, "kwargs": {"content": "a", "type": "human"}}, "a", id="LangChain constructor"),
        pytest.param({"type": "ai", "data": {"content": "a"}}, "a", id="LangChain dump"),
        pytest.param(
            {"role": "tool", "parts": [{"type": "tool_call_response", "response": {"x": "日"}}]},
            '{"x":"日"}',
            id="tool",
        ),
        pytest.param(
            {"role": "tool", "parts": [{"type": "tool_call_response", "result": "r"}]}, "r", id="tool of the spec"
        ),
        pytest.param({"role": "assistant", "parts": [{"type": "reasoning", "content": "hm"}]}, None, id="reasoning"),
        pytest.param({"role": "assistant", "parts": [{"type": "tool_call", "name": "f"}]}, None, id="tool call"),
        pytest.param({"role": "user", "parts": []}, None, id="no parts"),
        pytest.param("a", "a", id="text"),
        pytest.param(5, None, id="number"),
        pytest.param({"role": "user", "content": parsing.REDACTED}, None, id="hidden"),
    ],
)
def test_messages_of_every_shape_have_a_text(message, said):
    assert parsing_messages.message_text(message) == said


def test_a_prompt_is_the_instructions_and_every_message():
    parts = [{"type": "text", "content": "S"}]
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "parts": []}, {"role": "user", "content": "b"}]
    assert parsing_messages.messages_text(messages, parts) == "S\n\na\n\nb"
    assert parsing_messages.messages_text([], None) is None
    assert parsing_messages.last_user_text(messages) == "b"
    assert parsing_messages.last_user_text([{"lc": 1, "kwargs": {"content": "q", "type": "human"}}]) == "q"
    assert parsing_messages.last_user_text([{"role": "assistant", "content": "x"}]) is None


def test_what_a_tool_returned_is_no_answer():
    assert parsing_messages.answer_text([{"parts": [{"type": "tool_call_response", "response": "r"}]}]) is None


@pytest.mark.parametrize(
    ("prompt", "internal"),
    [
        ("A list of documents is shown below. Each document has a number next to it along with", True),
        (
            "You are an AI language model assistant. Your task is \n    to generate 3 different versions of the given user \n    question",
            True,
        ),
        (
            "Given the following question and context, return YES if the context is relevant to the question and NO if it isn't.",
            True,
        ),
        ("You are a studio assistant.\n\nAnswer the question from the numbered sources only.", False),
        ("x" * 5000 + "Please write a passage to answer the question", False),
        ("", False),
        (None, False),
    ],
)
def test_default_prompts_of_rerankers_and_rewriters_are_told(prompt, internal):
    assert parsing_messages.is_internal(prompt) is internal


@pytest.mark.parametrize(
    ("answer", "internal"),
    [("Doc: 1, Relevance: 8\nDoc: 4, Relevance: 6", True), ("The doc says: 1", False), ("", False), (None, False)],
)
def test_the_answer_of_a_reranker_is_told(answer, internal):
    assert parsing_messages.is_internal_answer(answer) is internal


@pytest.mark.parametrize(
    ("repr_of_node", "hit"),
    [
        pytest.param("<NodeWithScore(node=TextNode(id_=kiln-001#1), score=8.0)>", Hit("kiln-001#1", 8.0), id="plain"),
        pytest.param("<NodeWithScore(node=ImageNode(id_=a), score=None)>", Hit("a", None), id="no score"),
        pytest.param(
            "<NodeWithScore(node=TextNode(id_=a (1), b)), score=1e-05)>",
            Hit("a (1), b)", 1e-05),
            id="brackets in an id",
        ),
        pytest.param("<NodeWithScore(node=TextNode(id_=日本), score=0.5)>", Hit("日本", 0.5), id="non-ASCII"),
        pytest.param("<NodeWithScore(node=TextNode(id_=a), sco", None, id="cut"),
        pytest.param("something else", None, id="something else"),
        pytest.param(None, None, id="null"),
    ],
)
def test_reprs_of_nodes(repr_of_node, hit):
    assert parsing_documents.node_repr_hit(repr_of_node) == hit


NODE = {"node": {"id_": "a", "text": "T"}, "score": 0.5}


@pytest.mark.parametrize(
    ("nodes", "hits"),
    [
        pytest.param([NODE], (Hit("a", 0.5, "T"),), id="objects"),
        pytest.param(
            ['{"node": {"id_": "a", "text": "T"}, "score": 0.5}'], (Hit("a", 0.5, "T"),), id="JSON inside JSON"
        ),
        pytest.param(
            [{"node": {"id_": "a", "text_resource": {"text": "T"}}, "score": None}],
            (Hit("a", None, "T"),),
            id="text resource",
        ),
        pytest.param([NODE, '{"node": {"id_'], None, id="one cut: none known"),
        pytest.param([NODE, 5], None, id="something else"),
        pytest.param([], (), id="a recorded empty result"),
        pytest.param({"nodes": []}, None, id="no list"),
    ],
)
def test_nodes(nodes, hits):
    assert parsing_documents.node_hits(nodes) == hits


@pytest.mark.parametrize(
    ("documents", "hits"),
    [
        pytest.param([{"id": "a", "page_content": "T", "metadata": {}}], (Hit("a", None, "T"),), id="plain"),
        pytest.param([{"id": None, "page_content": "T"}], (Hit(None, None, "T"),), id="without id"),
        pytest.param([{"lc": 1, "kwargs": {"id": "a", "page_content": "T"}}], (Hit("a", None, "T"),), id="constructor"),
        pytest.param(
            [{"id": "uuid", "page_content": "T", "metadata": {"chunk_id": "c", "relevance_score": "0.5"}}],
            (Hit("c", 0.5, "T"),),
            id="named by the application",
        ),
        pytest.param([{"page_content": "T", "metadata": {"score": 2}}], (Hit(None, 2.0, "T"),), id="score in metadata"),
        pytest.param([{"page_content": "T"}, {"other": 1}], None, id="not all documents"),
        pytest.param("T", None, id="text"),
        pytest.param([], (), id="empty"),
    ],
)
def test_langchain_documents(documents, hits):
    assert parsing_documents.langchain_hits(documents) == hits


@pytest.mark.parametrize(
    ("documents", "hits"),
    [
        pytest.param([{"id": "a", "score": 0.5}], (Hit("a", 0.5),), id="id and score"),
        pytest.param(
            [{"score": None}, {"id": 7, "content": "T"}],
            (Hit(None), Hit("7", None, "T")),
            id="1.44: both may be missing",
        ),
        pytest.param([{"id": "a", "score": {"$double": "NaN"}}], (Hit("a"),), id="not a number"),
        pytest.param(["a"], None, id="no objects"),
        pytest.param({"documents": []}, None, id="no list"),
        pytest.param([], (), id="empty"),
    ],
)
def test_genai_documents(documents, hits):
    assert parsing_documents.genai_hits(documents) == hits


def test_documents_are_a_prompt_only_when_all_of_them_are_in_the_text():
    one, two = Hit("1", None, "first"), Hit("2", None, "second")
    assert parsing_documents.in_text((one, two), "second, then first") == (two, one)
    assert parsing_documents.in_text((one, two), "first only") is None
    assert parsing_documents.in_text((one, Hit("3", None, None)), "first") is None
    assert parsing_documents.in_text((), "first") is None


@pytest.mark.parametrize(
    ("taken", "question"),
    [
        pytest.param("What?", "What?", id="text"),
        pytest.param({"question": "What?"}, "What?", id="question"),
        pytest.param({"input": "What?", "chat_history": ["x", "y"]}, "What?", id="history is none"),
        pytest.param(
            {
                "messages": [
                    {"role": "user", "content": "old"},
                    {"role": "assistant", "content": "a"},
                    {"role": "user", "content": "What?"},
                ]
            },
            "What?",
            id="messages",
        ),
        pytest.param({"query_bundle": {"query_str": "What?", "embedding": None}}, "What?", id="LlamaIndex"),
        pytest.param({"str_or_query_bundle": "What?"}, "What?", id="LlamaIndex text"),
        pytest.param(
            {"inputs": "What?", "tags": ["t"], "kwargs": {"name": "chain"}}, "What?", id="OpenLLMetry LangChain"
        ),
        pytest.param({"args": ["What?"], "kwargs": {}}, "What?", id="decorator"),
        pytest.param({"args": ["What?", "why"], "kwargs": {}}, None, id="two arguments"),
        pytest.param(
            {"data": {"retriever": {"query": "What?"}, "prompt_builder": {"question": "What?"}}}, "What?", id="Haystack"
        ),
        pytest.param({"data": {"a": {"query": "What?"}, "b": {"query": "Else?"}}}, None, id="two questions are none"),
        pytest.param({"context": "x"}, None, id="no key says so"),
        pytest.param({"question": parsing.REDACTED}, None, id="hidden"),
        pytest.param(
            {"question": {"question": {"question": {"question": {"question": {"question": "deep"}}}}}},
            None,
            id="too deep",
        ),
        pytest.param(["What?"], None, id="list"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_the_question_in_what_a_chain_took(taken, question):
    assert parsing_request.question_in(taken) == question


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ("So.", "So."),
        ({"answer": "So.", "context": []}, "So."),
        ({"outputs": "So.", "kwargs": {"tags": []}}, "So."),
        ({"outputs": {"result": "So.", "source_documents": []}}, "So."),
        ({"response": "So.", "metadata": {"a": {}}}, "So."),
        ({"messages": [{"type": "human", "content": "?"}, {"type": "ai", "content": "So."}]}, "So."),
        ({"messages": []}, None),
        ({"answer_builder": {"answers": []}}, None),
    ],
)
def test_the_answer_in_what_a_chain_gave(given, answer):
    assert parsing_request.answer_in(given) == answer


def test_a_record_without_anything_is_none():
    assert parsing.stage(None, ["cut.query"], query=None, twin=False) is None
    assert parsing.stage("retrieval", ["a", "b", "a"]).problems == ("a", "b")
    assert parsing.stage(None, case_id="c").case_id == "c"
