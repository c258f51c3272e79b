"""What holds for every native reader: it never raises, and what it does not know it leaves out."""

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conventions.recorded import questions
from otel_ragfault.conventions import haystack, langfuse, langsmith, llamaindex_events, mlflow, pydantic_ai
from otel_ragfault.conventions.mapping import read_mapped
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.span import SpanView
from otel_ragfault.model.mapping import SpanMapping

READERS = {
    "haystack-native": haystack,
    "langfuse": langfuse,
    "langsmith-otel": langsmith,
    "llamaindex-own-otel": llamaindex_events,
    "mlflow-langchain": mlflow,
    "mlflow-llamaindex": mlflow,
    "mlflow-llamaindex.genai-semconv": mlflow,
    "pydantic-ai": pydantic_ai,
}
WORDS = [
    "id", "id_", "score", "text", "content", "page_content", "metadata", "meta", "node", "kwargs", "documents", "query", "output",
    "input", "messages", "generations", "message", "role", "parts", "type", "blocks", "choices", "raw", "response", "args",
    "case_id", "prompt_chunk_ids", "replies", "answers", "prompt", "template", "tool_calls", "referenced", "source_index",
    "usage", "finish_reason", "nodes", "query_str", "query_bundle", "prompt_args", "response_metadata", "retriever", "data",
]  # fmt: skip
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(max_size=20)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


def as_text(value):
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return repr(value)


written = (
    values
    | values.map(as_text)
    | values.map(as_text).map(as_text)
    | st.tuples(values.map(as_text), st.integers(0, 30)).map(lambda pair: pair[0][: pair[1]])
)


@st.composite
def spoiled(draw):
    """A recorded span of which some values are replaced, cut or gone."""
    name = draw(st.sampled_from(sorted(READERS)))
    views = [one.view for told in questions(name) for one in told]
    view = draw(st.sampled_from(views))

    def spoil(attributes):
        kept = dict(attributes)
        for key in draw(st.lists(st.sampled_from(sorted(attributes)), max_size=4)) if attributes else ():
            change = draw(st.sampled_from(["replace", "cut", "drop"]))
            if change == "drop":
                kept.pop(key, None)
            elif change == "cut" and isinstance(kept.get(key), str):
                kept[key] = kept[key][: draw(st.integers(0, len(kept[key])))]
            else:
                kept[key] = draw(written)
        return kept

    events = [{**event, "attributes": spoil(event["attributes"])} for event in view.events]
    return name, SpanView(
        view.scope_name,
        view.scope_version,
        draw(st.just(view.name) | st.text(max_size=8)),
        spoil(view.attributes),
        draw(st.just(events) | values.map(lambda value: [value])) if events else (),
        draw(st.booleans()),
        draw(st.integers(0, 3)),
        draw(st.integers(0, 3)),
        draw(st.booleans()),
    )


def check(record):
    """A record holds what its types say."""
    assert record is None or isinstance(record, StageRecord)
    if record is None:
        return
    for field in ("hits", "input_hits", "prompt_hits"):
        hits = getattr(record, field)
        assert hits is None or (type(hits) is tuple and all(type(hit) is Hit for hit in hits))
        for hit in hits or ():
            assert hit.id is None or (type(hit.id) is str and hit.id)
            assert hit.score is None or (type(hit.score) is float and abs(hit.score) < float("inf"))
            assert hit.text is None or type(hit.text) is str
    for field in ("query", "prompt_text", "answer", "request_model", "response_model", "response_id", "case_id",
                  "run_id", "session_id", "prompt_name", "prompt_version", "prompt_template", "score_kind"):  # fmt: skip
        assert getattr(record, field) is None or type(getattr(record, field)) is str
    for field in ("input_tokens", "output_tokens", "top_k"):
        assert getattr(record, field) is None or type(getattr(record, field)) is int
    for field in ("prompt_ids", "cited", "finish_reasons"):
        assert getattr(record, field) is None or type(getattr(record, field)) is tuple
    assert type(record.internal) is bool
    assert type(record.twin) is bool
    assert type(record.problems) is tuple
    assert all(type(problem) is str for problem in record.problems)


@settings(max_examples=400, deadline=None)
@given(spoiled())
def test_a_spoiled_span_never_raises(case):
    name, view = case
    check(READERS[name].read(view))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(sorted(READERS)), st.dictionaries(st.text(max_size=10), written, max_size=5), st.text(max_size=10)
)
def test_any_attributes_never_raise(name, attributes, span_name):
    view = SpanView("any", "", span_name, attributes, [attributes], dropped_attributes=1)
    READERS[name].claims(view)
    check(READERS[name].read(view))


PATHS = ["a", "a[*].id", "b.c", "b[0]", "$.events[x].attributes.a", "$", "c[*][*]", "[0]", "a[*]"]
FIELDS = [
    "query",
    "hits",
    "prompt_ids",
    "prompt_text",
    "answer",
    "cited",
    "top_k",
    "case_id",
    "prompt_hits",
    "decision",
]


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(PATHS), min_size=1),
    st.dictionaries(st.sampled_from(["a", "b", "c", "b.c"]), written, max_size=4),
)
def test_a_mapping_never_raises(fields, attributes):
    wanted = SpanMapping.model_validate({"match": {"name": "*"}, "stage": "retrieval", **fields})
    check(read_mapped(wanted, SpanView("any", "", "any", attributes, [{"name": "x", "attributes": attributes}])))


# --- loss ------------------------------------------------------------------------------------------------------------

STAGE_VALUES = {  # of each recording: the attribute or event field of a stage, and the problem if it is cut
    ("haystack-native", "haystack.component.output", "retrieval"): "cut.ranking",
    ("haystack-native", "haystack.component.output", "rerank"): "cut.ranking",
    ("haystack-native", "haystack.component.output", "generation"): "cut.answer",
    ("haystack-native", "haystack.component.input", "generation"): "cut.prompt_text",
    ("haystack-native", "haystack.component.input", "assembly"): "cut.prompt_ids",
    ("haystack-native", "haystack.component.output", "assembly"): "cut.prompt_text",
    ("haystack-native", "haystack.pipeline.output_data", "request"): "cut.answer",
    ("haystack-native", "haystack.pipeline.input_data", "request"): "cut.query",
    ("langfuse", "langfuse.observation.output", "retrieval"): "cut.ranking",
    ("langsmith-otel", "gen_ai.completion", "retrieval"): "cut.ranking",
    ("langsmith-otel", "gen_ai.completion", "generation"): "cut.answer",
    ("langsmith-otel", "gen_ai.prompt", "generation"): "cut.prompt_text",
    ("langsmith-otel", "gen_ai.prompt", "request"): "cut.query",
    ("llamaindex-own-otel", "nodes", "retrieval"): "cut.ranking",
    ("mlflow-langchain", "mlflow.spanOutputs", "retrieval"): "cut.ranking",
    ("mlflow-langchain", "mlflow.spanInputs", "retrieval"): "cut.query",
    ("mlflow-langchain", "mlflow.spanOutputs", "generation"): "cut.answer",
    ("mlflow-llamaindex", "mlflow.spanOutputs", "rerank"): "cut.ranking",
    ("mlflow-llamaindex", "mlflow.spanOutputs", "request"): "cut.answer",
    ("pydantic-ai", "gen_ai.input.messages", "generation"): "cut.prompt_text",
    ("pydantic-ai", "gen_ai.output.messages", "generation"): "cut.answer",
    ("pydantic-ai", "pydantic_ai.all_messages", "request"): "cut.query",
}


def recorded_spans(name, kind):
    """Return the views of the spans of a stage."""
    return [one.view for told in questions(name) for one in told if one.record and one.record.kind == kind]


def changed(view, key, change, **rest):
    """Return a span with one value changed, in its attributes or in its events; ``None`` drops it."""

    def one(attributes):
        found = {name: change(value) if name == key else value for name, value in attributes.items()}
        return {name: value for name, value in found.items() if value is not None}

    events = [{**event, "attributes": one(event["attributes"])} for event in view.events]
    return SpanView(view.scope_name, view.scope_version, view.name, one(view.attributes), events, **rest)


@pytest.mark.parametrize(("name", "key", "kind"), STAGE_VALUES)
def test_a_cut_value_is_reported_and_nothing_made_of_it(name, key, kind):
    for view in recorded_spans(name, kind):
        record = READERS[name].read(changed(view, key, lambda value: value[:-3], has_parent=view.has_parent))
        assert record.kind == kind
        assert STAGE_VALUES[name, key, kind] in record.problems
        field = STAGE_VALUES[name, key, kind].removeprefix("cut.").replace("ranking", "hits")
        assert getattr(record, field) is None


@pytest.mark.parametrize(
    ("name", "key", "kind"),
    [key for key in STAGE_VALUES if key[2] == "retrieval" and STAGE_VALUES[key] == "cut.ranking"],
)
def test_a_missing_ranking_is_off_dropped_or_the_fault_of_an_error(name, key, kind):
    for view in recorded_spans(name, kind):
        told = {}
        for case, rest in {"off": {}, "dropped": {"dropped_attributes": 2}, "failed": {"failed": True}}.items():
            record = READERS[name].read(changed(view, key, lambda _value: None, **rest))
            assert record.hits is None
            told[case] = record.problems
        assert told == {"off": ("content_off",), "dropped": ("dropped.ranking",), "failed": ()}


@pytest.mark.parametrize(
    ("name", "key", "empty"),
    [
        ("haystack-native", "haystack.component.output", '{"documents": []}'),
        ("langfuse", "langfuse.observation.output", "[]"),
        ("langsmith-otel", "gen_ai.completion", '{"documents": []}'),
        ("llamaindex-own-otel", "nodes", "[]"),
        ("mlflow-langchain", "mlflow.spanOutputs", "[]"),
    ],
)
def test_an_empty_ranking_is_one(name, key, empty):
    record = READERS[name].read(changed(recorded_spans(name, "retrieval")[0], key, lambda _value: empty))
    assert record.hits == ()
    assert record.problems == ()


@pytest.mark.parametrize("name", ["haystack-native", "langfuse", "langsmith-otel", "mlflow-langchain", "pydantic-ai"])
def test_structured_values_read_like_json_text(name):
    for told in questions(name):
        for one in told:
            opened = {}
            for key, value in one.view.attributes.items():
                try:
                    decoded = orjson.loads(value) if isinstance(value, str) and value[:1] in "[{" else value
                except orjson.JSONDecodeError:  # "[1] Glaze buckets …" is a text
                    decoded = value
                opened[key] = decoded
            view = SpanView(
                one.view.scope_name,
                one.view.scope_version,
                one.name,
                opened,
                one.view.events,
                has_parent=one.view.has_parent,
            )
            assert READERS[name].read(view) == one.record
