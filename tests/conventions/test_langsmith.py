import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions.langsmith import claims, read
from otel_ragfault.conventions.record import Hit

DOCUMENT = {"id": "a", "page_content": "A", "metadata": {}, "type": "Document"}


def run(kind, given=None, returned=None, **rest):
    attributes = {"langsmith.span.kind": kind, "gen_ai.operation.name": "embeddings", **rest.pop("extra", {})}
    if given is not None:
        attributes["gen_ai.prompt"] = text(given)
    if returned is not None:
        attributes["gen_ai.completion"] = text(returned)
    return span("langsmith", attributes, **rest)


def test_its_spans_are_told_by_scope_or_attribute():
    assert claims(span("langsmith"))
    assert claims(span("other", {"langsmith.span.kind": "llm"}))
    assert not claims(span("other", {"gen_ai.prompt": "{}"}))


@pytest.mark.parametrize(
    ("returned", "hits"),
    [
        ({"documents": [DOCUMENT]}, (Hit("a", None, "A"),)),
        ({"output": [DOCUMENT]}, (Hit("a", None, "A"),)),
        ({"documents": [{"lc": 1, "kwargs": {"page_content": "A", "metadata": {"score": 1}}}]}, (Hit(None, 1.0, "A"),)),
        ({"documents": []}, ()),
    ],
)
def test_a_retriever_is_one_whatever_its_operation_is_called(returned, hits):
    record = read(run("retriever", {"query": "q"}, returned))
    assert (record.kind, record.query, record.hits, record.problems) == ("retrieval", "q", hits, ())


@pytest.mark.parametrize(
    ("kind", "problems"), [("retriever", ("content_off",)), ("llm", ("content_off",)), ("chain", ("content_off",))]
)
def test_hidden_inputs_and_outputs_are_content_that_is_off(kind, problems):
    record = read(run(kind, {}, {}))
    assert record.problems == problems
    assert (record.hits, record.query, record.answer) == (None, None, None)


@pytest.mark.parametrize(
    ("given", "returned", "prompt", "answer"),
    [
        ({"messages": [{"role": "user", "content": "q"}]}, {"choices": [{"message": {"role": "assistant", "content": "a"}}]}, "q", "a"),
        ({"prompts": ["q"]}, {"generations": [[{"text": "a"}]]}, "q", "a"),
        ({"messages": [[{"kwargs": {"content": "s"}}, {"kwargs": {"content": [{"type": "text", "text": "q"}]}}]]}, {"generations": [[{"message": {"kwargs": {"content": ""}}}]]}, "s\n\nq", ""),
        ({"messages": [{"role": "user", "content": "q"}]}, {"output": {"role": "assistant", "content": "a"}}, "q", "a"),
        ({"input": "q"}, {"output": "a"}, "q", "a"),
    ],
)  # fmt: skip
def test_model_calls_in_every_shape(given, returned, prompt, answer):
    record = read(run("llm", given, returned))
    assert (record.prompt_text, record.answer, record.problems) == (prompt, answer, ())


def test_the_reply_tells_model_id_and_reason():
    returned = {"id": "r1", "model": "m-1", "choices": [{"finish_reason": "length", "message": {"content": "a"}}]}
    record = read(run("llm", {"messages": [{"content": "q"}]}, returned, extra={"gen_ai.request.model": "m"}))
    assert (record.request_model, record.response_model, record.response_id) == ("m", "m-1", "r1")
    assert record.finish_reasons == ("length",)


def test_a_call_of_a_tool_is_internal():
    message = {"kwargs": {"content": "", "tool_calls": [{"name": "search"}]}}
    record = read(run("llm", {"messages": [{"content": "q"}]}, {"generations": [[{"text": "", "message": message}]]}))
    assert record.internal


def test_a_prompt_of_the_hub_is_named():
    record = read(
        run(
            "prompt",
            extra={"langsmith.metadata.lc_hub_repo": "qa", "langsmith.metadata.lc_hub_commit_hash": "ab12"},
            has_parent=True,
        )
    )
    assert (record.kind, record.prompt_name, record.prompt_version) == (None, "qa", "ab12")


def test_settings_are_not_read():
    extra = {"langsmith.metadata.LANGSMITH_API_KEY": "secret", "langsmith.metadata.LANGSMITH_PROJECT": "p"}
    assert read(run("chain", {"input": "q"}, {"output": "a"}, extra=extra, has_parent=True)) is None


@pytest.mark.parametrize(("has_parent", "kind"), [(False, "request"), (True, None)])
def test_only_the_outermost_chain_is_the_request(has_parent, kind):
    record = read(run("chain", {"question": "q"}, {"answer": "a"}, has_parent=has_parent))
    assert (record.kind if record else None) == kind
