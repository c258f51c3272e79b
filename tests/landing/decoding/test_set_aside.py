from collections import Counter
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.landing.decoding.set_aside import (
    content_id,
    read_contents,
    read_counts,
    write_contents,
    write_counts,
)

REASONS = st.text(st.characters(exclude_categories=["Cs"]), max_size=500)


@given(st.dictionaries(REASONS, st.integers(1, 2**32)))
def test_counts_come_back(counts):
    assert read_counts(memoryview(write_counts(counts))) == Counter(counts)


def test_reasons_of_any_text_are_written_and_long_ones_cut():
    found = read_counts(memoryview(write_counts({"lone \ud800": 1, "x" * 9000: 2})))
    assert found == {"lone ?": 1, "x" * 500: 2}


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"a":"b"}', b'{"a":-1}', b'{"a":true}', b'{"a":9999999999999}', b"\xff", b'{"a":1e400}', b"5"],
    ids=repr,
)
def test_what_is_no_count_is_refused(content):
    with pytest.raises(ValueError):
        read_counts(memoryview(content))


def test_of_very_many_reasons_the_rarest_are_taken_together():
    counts = {"often": 9, **{f"id of {size} bytes": 1 for size in range(5000)}}
    found = read_counts(memoryview(write_counts(counts)))
    assert (found["often"], found.total(), len(found)) == (9, 5009, 101)


@given(st.dictionaries(st.uuids(), st.dictionaries(REASONS, st.integers(1, 2**32))))
def test_contents_come_back(contents):
    assert read_contents(memoryview(write_contents(contents))) == contents


@pytest.mark.parametrize(
    "content", [b"", b"5", b"[5]", b'[["a", {}]]', b"[[5, {}]]", b'[["a"]]', b'{"a": 1}', b"\xff"], ids=repr
)
def test_what_are_no_contents_is_refused(content):
    with pytest.raises(ValueError):
        read_contents(memoryview(content))


def test_equal_content_has_one_identity():
    assert isinstance(content_id(b"a"), UUID)
    assert content_id(b"a") == content_id(b"a") != content_id(b"b")
