"""Laws of the recorded ranking, for any ids and scores."""

import json
import math
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

from otel_ragfault import semconv
from otel_ragfault.capture import assembly, generation, request, rerank, retrieval
from otel_ragfault.capture._documents import LONGEST_BARE_ID
from otel_ragfault.capture._rankings import ranking_json
from otel_ragfault.capture._text import View, clean

VIEW = View(content=False, redact=None)
IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_BARE_ID)
SCORES = st.floats(allow_nan=True, allow_infinity=True)
NAMES = ("id", "score", "text", "answer", "choices", "message", "documents", "ids", "metadata", "role", "content")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=9)
    | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES) | st.integers(), inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4).map(lambda members: SimpleNamespace(**members))
    ),
    max_leaves=12,
)
JSON_ATTRIBUTES = {
    semconv.GEN_AI_RETRIEVAL_DOCUMENTS,
    semconv.GEN_AI_INPUT_MESSAGES,
    semconv.GEN_AI_OUTPUT_MESSAGES,
    semconv.RAGFAULT_ASSEMBLY_CHUNK_IDS,
    semconv.RAGFAULT_ASSEMBLY_DROPPED,
    semconv.RAGFAULT_CITATIONS,
}
SHAPES = {
    "pairs": lambda *hit: hit,
    "mappings": lambda i, s: {"id": i, "score": s},
    "objects": lambda i, s: SimpleNamespace(id=i, score=s),
}


def strict(text):
    return json.loads(text, parse_constant=pytest.fail)


def kept(score):
    return score if math.isfinite(score) else None


@given(hits=st.lists(st.tuples(IDS, SCORES)), shape=st.sampled_from(sorted(SHAPES)))
def test_ids_and_scores_round_trip_in_order(hits, shape):
    written = ranking_json([SHAPES[shape](*hit) for hit in hits], VIEW)

    assert strict(written) == [{"id": i, "score": kept(s)} for i, s in hits]


@given(hits=st.lists(st.tuples(IDS, SCORES), min_size=1), odd=st.sampled_from([None, ("x", True), {"id": "x"}, 3]))
def test_one_odd_item_changes_no_other(hits, odd):
    rows = strict(ranking_json([*hits, odd], VIEW))

    assert rows[:-1] == [{"id": i, "score": kept(s)} for i, s in hits]


@given(VALUES)
def test_any_value_gives_strict_json_or_nothing(value):
    written = ranking_json(value, VIEW)

    if written is not None:
        for row in strict(written):
            assert set(row) == {"id", "score"}
            assert isinstance(row["id"], str | None)
            assert isinstance(row["score"], float | None)


@given(value=VALUES, other=VALUES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_stage_fails_on_any_value_and_all_it_writes_can_be_exported(recorded, value, other):
    recorded.exporter.clear()
    recorded.capture(content=True)

    for stage in (request, retrieval, rerank, assembly, generation):
        assert stage(lambda query, prompt: value)(other, value) is value
        list(stage(lambda: iter([value, other]))())
        with stage() as span:
            span.record_documents(value)
            span.record_chunks(value, dropped=other)
            span.record_answer(value, citations=other, decision=value, finish_reasons=other, input_tokens=value)
            span.set(k=value, score_kind=other, case_id=value)

    assert len(recorded.all) == 15
    assert encode_spans(recorded.all).SerializeToString()
    for span in recorded.all:
        for name, text in span.attributes.items():
            if name in JSON_ATTRIBUTES:
                strict(text)


@given(st.text(st.characters()))
def test_clean_text_can_be_encoded_and_valid_text_is_untouched(text):
    assert clean(text).encode().decode() == clean(text)
    assert clean(clean(text)) == clean(text)
