"""Laws of the recorded ranking, for any ids and scores."""

import json
import math
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.capture._documents import LONGEST_BARE_ID
from otel_ragfault.capture._rankings import ranking_json
from otel_ragfault.capture._text import View, clean

VIEW = View(content=False, redact=None)
IDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_BARE_ID)
SCORES = st.floats(allow_nan=True, allow_infinity=True)
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


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner, inner),
    )
)
def test_any_value_gives_strict_json_or_nothing(value):
    written = ranking_json(value, VIEW)

    if written is not None:
        for row in strict(written):
            assert set(row) == {"id", "score"}
            assert isinstance(row["id"], str | None)
            assert isinstance(row["score"], float | None)


@given(st.text(st.characters()))
def test_clean_text_can_be_encoded_and_valid_text_is_untouched(text):
    assert clean(text).encode().decode() == clean(text)
    assert clean(clean(text)) == clean(text)
