import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions.mlflow import claims, question, read
from otel_ragfault.conventions.record import Hit

SCOPE = "mlflow.tracing.provider"


def native(kind, given=None, returned=None, name="step", **rest):
    extra = {key: text(value) for key, value in rest.pop("extra", {}).items()}
    attributes = {"mlflow.spanType": text(kind), **extra}
    if given is not None:
        attributes["mlflow.spanInputs"] = text(given)
    if returned is not None:
        attributes["mlflow.spanOutputs"] = text(returned)
    return span(SCOPE, attributes, name=name, **rest)


def test_its_spans_are_told_by_scope_or_attribute():
    assert claims(span(SCOPE))
    assert claims(span("other", {"mlflow.spanType": '"LLM"'}))
    assert not claims(span("other", {"metadata": "{}"}))


@pytest.mark.parametrize(
    ("document", "hit"),
    [
        ({"page_content": "A", "metadata": {"score": 0.5}, "id": "a"}, Hit("a", 0.5, "A")),
        ({"page_content": "A", "metadata": {"relevance_score": "0.25", "score": 9}, "id": "a"}, Hit("a", 0.25, "A")),
        ({"page_content": "A", "metadata": {"chunk_id": "c"}, "id": "random"}, Hit("c", None, "A")),
        ({"page_content": "", "metadata": None, "id": None}, Hit(None, None, "")),
        ({"page_content": "A", "metadata": {"score": True}, "id": 7}, Hit("7", None, "A")),
        ([{"page_content": "A", "id": "a"}, 0.75], Hit("a", 0.75, "A")),
        ({"node": {"id_": "n", "text": "N"}, "score": 1}, Hit("n", 1.0, "N")),
        ("only a text", Hit(None, None, "only a text")),
        (None, Hit(None)),
    ],
)
def test_documents_in_every_shape(document, hit):
    assert read(native("RETRIEVER", "q", [document])).hits == (hit,)


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        ('[{"page_content": "A", "id"', "cut.ranking"),
        ('{"x": 1}', "unreadable.ranking"),
        ('"[Document(…)]"', "unreadable.ranking"),
        ("", "content_off"),
    ],
)
def test_a_ranking_that_cannot_be_read_is_reported(returned, problem):
    view = span(SCOPE, {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanInputs": '"q"', "mlflow.spanOutputs": returned})
    record = read(view)
    assert (record.hits, record.problems) == (None, (problem,))


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("q", "q"),
        ({"question": "q", "k": 3}, "q"),
        ({"str_or_query_bundle": "q"}, "q"),
        ({"query_bundle": {"query_str": "q"}}, "q"),
        ({"anything": "q"}, "q"),
        ({"one": "q", "two": "r"}, None),
        ({"one": 3}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_question_among_the_inputs(given, asked):
    assert question(given) == asked


@pytest.mark.parametrize(
    ("kind", "has_parent", "stage"),
    [
        ("CHAIN", False, "request"),
        ("CHAIN", True, None),
        ("AGENT", False, "request"),
        ("EMBEDDING", False, None),
        ("TOOL", False, None),
        ("LLM", False, "generation"),
        ("RERANKER", True, "rerank"),
        (None, False, "request"),
        ({"odd": 1}, False, "request"),
    ],
)
def test_kinds(kind, has_parent, stage):
    record = read(native(kind, "q", "a", has_parent=has_parent))
    assert (record.kind if record else None) == stage


@pytest.mark.parametrize(
    ("score", "asked", "top_k"),
    [
        pytest.param(0.5, {}, 2, id="a filter leaves scores as they are"),
        pytest.param(9.0, {}, None, id="a reranker scores anew"),
        pytest.param(0.5, {"top_n": 1}, 1, id="a recorded length wins"),
    ],
)
def test_what_a_filter_of_nodes_removes_was_within_k(score, asked, top_k):
    nodes = [{"node": {"id_": name, "text": name}, "score": value} for name, value in (("a", 0.5), ("b", 0.25))]
    left = [nodes[0] | {"score": score}]
    record = read(native("CHAIN", {"nodes": nodes, **asked}, left, name="Some._postprocess_nodes", has_parent=True))
    assert (record.kind, record.top_k) == ("rerank", top_k)


def test_a_model_call_that_asks_for_a_tool_is_internal():
    message = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    record = read(
        native("CHAT_MODEL", {"messages": [{"role": "user", "content": "q"}]}, {"choices": [{"message": message}]})
    )
    assert (record.internal, record.answer, record.problems) == (True, None, ())


def test_a_linked_prompt_names_the_template():
    prompts = text([{"name": "qa", "version": "4"}])
    record = read(
        native(
            "LLM",
            {"messages": []},
            "a",
            extra={"metadata": {"prompt_version": "told"}} | {"mlflow.linkedPrompts": [{"name": "qa", "version": "4"}]},
        )
    )
    assert prompts
    assert (record.prompt_name, record.prompt_version) == ("qa", "4")


@pytest.mark.parametrize("name", ["X.query", "DocumentSummaryIndex.query"])
def test_a_failed_request_owes_no_answer(name):
    record = read(native("CHAIN", {"str_or_query_bundle": "q"}, name=name, failed=True))
    assert (record.kind, record.query, record.problems) == ("request", "q", ())


@pytest.mark.parametrize(
    ("template", "arguments", "filled"),
    [
        ("{a} and {b}", {"a": "x", "b": "y"}, "x and y"),
        ("{a} and {b}", {"a": "x"}, None),
        ("{a}", {"a": 3}, None),
        ("none", None, "none"),
    ],
)
def test_a_template_is_filled_where_all_of_it_is_recorded(template, arguments, filled):
    given = {"prompt": {"template": template, "kwargs": {}}, "prompt_args": arguments}
    assert read(native("LLM", given, "a", name="X.predict")).prompt_text == filled
