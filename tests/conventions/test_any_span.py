"""Whatever a span holds, reading it gives a record or none, in words and types that are promised."""

import dataclasses
import math

import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conventions.recorded import FOLDER, questions
from otel_ragfault.conventions.record import Hit, StageRecord
from otel_ragfault.conventions.registry import conventions, read_span
from otel_ragfault.conventions.span import SpanView

NAMES = sorted(
    {
        key
        for path in FOLDER.glob("[ot][!.]*.jsonl")
        for told in questions(path.stem)
        for one in told
        for key in one.view.attributes
    }
    | {"gen_ai.prompt", "gen_ai.completion", "gen_ai.system", "llm.request.type", "ragfault.stage", "ragfault.citations"}
    | {"ragfault.assembly.chunk_ids", "gen_ai.prompt.0.content", "gen_ai.prompt.1.content", "gen_ai.completion.0.content"}
    | {"aws.bedrock.knowledge_base.id", "reranker.top_k", "llm.prompts.0.prompt.text", "gen_ai.request.top_k"}
)  # fmt: skip
VALUES = ("RETRIEVER", "RERANKER", "LLM", "CHAIN", "AGENT", "chat", "retrieval", "invoke_workflow", "vector_db_retrieve",
          "workflow", "task", "request", "rerank", "assembly", "generation", "application/json", "chroma", "milvus", "query",
          "__REDACTED__")  # fmt: skip
SCOPES = ("", "app", "otel_ragfault", "openinference.instrumentation.langchain", "openinference.instrumentation.llama_index",
          "openinference.instrumentation.bedrock", "opentelemetry.instrumentation.langchain",
          "opentelemetry.instrumentation.llamaindex", "opentelemetry.instrumentation.chromadb",
          "opentelemetry.instrumentation.genai.langchain", "opentelemetry.instrumentation.genai.bedrock")  # fmt: skip
SPAN_NAMES = (
    "span",
    "A._retrieve",
    "A.predict",
    "A._postprocess_nodes",
    "QueryEngine.query",
    "bedrock.retrieve_and_generate",
)
KEYS = ("id", "score", "content", "text", "parts", "role", "type", "messages", "documents", "page_content", "metadata", "kwargs",
        "data", "nodes", "node", "id_", "query", "question", "inputs", "outputs", "prompt", "prompt_args", "template",
        "llm_output", "$double", "$bytes", "case_id", "query_bundle")  # fmt: skip

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(VALUES)
    | st.sampled_from(
        ["<NodeWithScore(node=TextNode(id_=a), score=1)>", '{"node": {"id_": 1}}', "{'text': 1}", "[", '{"a']
    )
)
structures = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


def as_text(value):
    """Write a value as JSON text, as attributes carry it."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return "null"


def cut(value):
    """Cut a text in the middle."""
    return value[: len(value) // 2]


values = structures | structures.map(as_text) | structures.map(as_text).map(cut)
attributes = st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), values, max_size=12)
events = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["db.query.result", "db.search.result", "gen_ai.choice", "gen_ai.user.message", ""]) | scalars,
            "attributes": structures
            | st.dictionaries(
                st.sampled_from(["db.query.result.id", "db.query.result.score", "db.query.result.metadata", "content", "message",
                                 "db.search.query.id", "db.search.result.distance", "gen_ai.prompt", "gen_ai.input.messages"]),
                values,
                max_size=4,
            ),
        }
    ),
    max_size=3,
)  # fmt: skip
views = st.builds(
    SpanView,
    scope_name=st.sampled_from(SCOPES),
    scope_version=st.just("1"),
    name=st.sampled_from(SPAN_NAMES) | st.text(max_size=5),
    attributes=attributes,
    events=events,
    failed=st.booleans(),
    dropped_attributes=st.integers(0, 2),
    dropped_events=st.integers(0, 2),
    has_parent=st.booleans(),
)


def hits_are_right(hits):
    """Check the types of a ranking."""
    return hits is None or (
        isinstance(hits, tuple)
        and all(
            isinstance(hit, Hit)
            and (hit.id is None or (isinstance(hit.id, str) and hit.id))
            and (hit.score is None or math.isfinite(hit.score))
            and (hit.text is None or isinstance(hit.text, str))
            for hit in hits
        )
    )


def is_right(record):
    """Check the types of a record against what it promises."""
    rankings = ("hits", "input_hits", "prompt_hits")
    tuples = ("prompt_ids", "cited", "finish_reasons", "problems")
    counts = ("top_k", "input_tokens", "output_tokens")
    flags = ("complete", "internal", "twin")
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if field.name in rankings:
            assert hits_are_right(value), field.name
        elif field.name in tuples:
            assert value is None or isinstance(value, tuple), field.name
            assert all(one is None or isinstance(one, str) for one in value or ()), field.name
        elif field.name in counts:
            assert value is None or (type(value) is int and value >= 0), field.name
        elif field.name in flags:
            assert value is None or type(value) is bool, field.name
        else:
            assert value is None or isinstance(value, str), field.name
    assert len(set(record.problems)) == len(record.problems)
    return record.kind in {None, "request", "retrieval", "rerank", "assembly", "generation"}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(views)
@example(SpanView("", "", "", {"llm.request.type": []}, [{"name": []}]))
def test_any_span_gives_a_record_or_none(view):
    _, record = read_span(view)
    assert record is None or (isinstance(record, StageRecord) and is_right(record))


@pytest.mark.parametrize("convention", [pytest.param(one, id=one.name) for one in conventions()])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(view=views)
def test_every_reader_stands_any_span_it_claims(convention, view):
    if convention.claims(view):
        record = convention.read(view)
        assert record is None or is_right(record)


RECORDED = [
    one.view
    for name in ("openinference-langchain", "openinference-llama-index", "traceloop-llamaindex", "traceloop-chromadb", "otel-genai-langchain")
    for told in questions(name)[:5:4]
    for one in told
]  # fmt: skip

RANKED = [view for view in RECORDED if (read_span(view)[1] or StageRecord()).hits]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_recorded_span_with_a_value_changed_or_cut_stands(data):
    view = data.draw(st.sampled_from(RECORDED))
    changed = dict(view.attributes)
    for key in data.draw(st.lists(st.sampled_from(sorted(changed) or ["x"]), max_size=3)):
        value = changed.get(key)
        changed[key] = cut(value) if isinstance(value, str) and data.draw(st.booleans()) else data.draw(values)
    _, record = read_span(dataclasses.replace(view, attributes=changed))
    assert record is None or is_right(record)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_cut_or_lost_ranking_is_never_a_shorter_one(data):
    view = data.draw(st.sampled_from(RANKED))
    whole = read_span(view)[1]
    changed = dict(view.attributes)
    if data.draw(st.booleans()):
        key = data.draw(
            st.sampled_from(sorted(key for key in changed if isinstance(changed[key], str) and changed[key]))
        )
        changed[key] = changed[key][: data.draw(st.integers(0, len(changed[key]) - 1))]
        lost = {}
    else:
        for key in data.draw(st.lists(st.sampled_from(sorted(changed)), min_size=1, unique=True)):
            del changed[key]
        lost = {"dropped_attributes": 1}
    record = read_span(dataclasses.replace(view, attributes=changed, **lost))[1]
    if record is not None and record.hits:
        assert len(record.hits) == len(whole.hits)
        assert all(
            hit.id in {None, known.id} or known.id.startswith(hit.id)
            for hit, known in zip(record.hits, whole.hits, strict=True)
        )
