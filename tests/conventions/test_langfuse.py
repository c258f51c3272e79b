import pytest

from conventions.shapes import span, text
from otel_ragfault.conventions.langfuse import claims, read
from otel_ragfault.conventions.record import Hit

PREFIX = "langfuse.observation."


def observation(kind, given=None, returned=None, **rest):
    attributes = {f"{PREFIX}type": kind, **rest.pop("extra", {})}
    if given is not None:
        attributes[f"{PREFIX}input"] = given if isinstance(given, str) else text(given)
    if returned is not None:
        attributes[f"{PREFIX}output"] = returned if isinstance(returned, str) else text(returned)
    return span("langfuse-sdk", attributes, **rest)


def test_its_spans_are_told_by_scope_or_attribute():
    assert claims(span("langfuse-sdk"))
    assert claims(span("other", {f"{PREFIX}type": "span"}))
    assert not claims(span("other", {"session.id": "s"}))


@pytest.mark.parametrize("answer", ["plain", "[1] says so", "{not json}", '"quoted"', "12", "null"])
def test_a_bare_text_stays_as_it_is(answer):
    assert read(observation("generation", "q", answer)).answer == answer
    assert read(observation("chain", "q", answer)).answer == answer


@pytest.mark.parametrize(
    ("returned", "hits", "problems"),
    [
        ([{"id": "a", "score": 0.5, "text": "A"}], (Hit("a", 0.5, "A"),), ()),
        ({"documents": [{"id": "a", "content": "A"}]}, (Hit("a", None, "A"),), ()),
        (["A", "B"], (Hit(None, None, "A"), Hit(None, None, "B")), ()),
        ([], (), ()),
        ('[{"id": "a", "sc', None, ("cut.ranking",)),
        ("***", None, ("redacted",)),
        ("<fully masked due to failed mask function>", None, ("redacted",)),
        ("[REDACTED]", None, ("redacted",)),
        ("a text", None, ("unreadable.ranking",)),
        (None, None, ("content_off",)),
    ],
)
def test_rankings(returned, hits, problems):
    record = read(observation("retriever", "q", returned))
    assert (record.query, record.hits, record.problems) == ("q", hits, problems)


@pytest.mark.parametrize(
    ("given", "query"),
    [
        ({"args": ["q"], "kwargs": {}}, "q"),
        ({"args": [], "kwargs": {"query": "q", "k": 3}}, "q"),
        ({"args": ["case-1", "q"], "kwargs": {}}, "q"),  # the case is named in the metadata
        ({"args": ["one", "two"], "kwargs": {}}, None),
        ({"question": "q", "user": "u"}, "q"),
        ({"only": "q"}, "q"),
    ],
)
def test_the_question_of_a_decorated_function(given, query):
    extra = {f"{PREFIX}metadata.case_id": '"case-1"'}
    record = read(observation("span", given, "a", extra=extra))
    assert (record.kind, record.query, record.case_id) == ("request", query, "case-1")


def test_the_request_is_named_by_the_trace_the_experiment_and_the_prompt():
    extra = {
        "langfuse.trace.metadata.case_id": '"told"',
        "langfuse.trace.metadata.run_id": "bare",
        "langfuse.experiment.item.id": "item-1",
        f"{PREFIX}prompt.name": "qa",
        f"{PREFIX}prompt.version": 4,
        "session.id": "s",
    }
    record = read(observation("generation", [{"role": "user", "content": "q"}], "a", extra=extra))
    assert (record.case_id, record.run_id, record.session_id) == ("item-1", "bare", "s")
    assert (record.prompt_name, record.prompt_version) == ("qa", "4")


def test_chunks_of_the_prompt_may_be_named_in_the_metadata():
    extra = {f"{PREFIX}metadata.prompt_chunk_ids": '["a", 7, null]'}
    assert read(observation("generation", "p", "a", extra=extra)).prompt_ids == ("a", "7", None)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"input": 3, "output": 4}, (3, 4)),
        ({"prompt_tokens": 3, "completion_tokens": 4}, (3, 4)),
        ({"input": -1}, (None, None)),
        ("odd", (None, None)),
    ],
)
def test_usage(usage, tokens):
    record = read(observation("generation", "p", "a", extra={f"{PREFIX}usage_details": text(usage)}))
    assert (record.input_tokens, record.output_tokens) == tokens


@pytest.mark.parametrize(
    ("named", "asked", "models"),
    [("m-1", "m", ("m", "m-1")), ("m", "m", ("m", None)), ("m-1", None, ("m-1", None))],
)
def test_the_name_of_the_model_is_that_of_the_answer_where_another_was_asked_for(named, asked, models):
    extra = {f"{PREFIX}model.name": named} | ({f"{PREFIX}metadata.ls_model_name": text(asked)} if asked else {})
    record = read(observation("generation", "p", "a", extra=extra))
    assert (record.request_model, record.response_model) == models


@pytest.mark.parametrize(
    ("kind", "rest", "stage"),
    [("span", {}, "request"), ("span", {"has_parent": True}, None), ("span", {"has_parent": True, "extra": {"langfuse.internal.is_app_root": True}}, "request"),
     ("embedding", {}, None), ("event", {}, None), ("evaluator", {}, None)],
)  # fmt: skip
def test_the_request_is_the_root_of_the_application(kind, rest, stage):
    record = read(observation(kind, "q", "a", **rest))
    assert (record.kind if record else None) == stage
