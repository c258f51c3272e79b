"""Results as rows, as Arrow and as data frames of what is installed."""

import sys

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.api import Table
from otel_ragfault.errors import MissingPackageError

CELLS = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))


@given(st.lists(st.fixed_dictionaries({"a": CELLS, "b": st.none() | st.text()}), max_size=5))
def test_rows_are_what_went_in(rows):
    table = Table.of(rows, ("a", "b"))
    assert table.rows() == list(table) == rows
    assert (len(table), table.columns) == (len(rows), ["a", "b"])
    assert isinstance(table.arrow(), pa.Table)


def test_a_result_without_rows_has_its_columns():
    assert Table.of([], ("a", "b")).columns == ["a", "b"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_data_frame_has_the_same_values(run, library):
    frame = getattr(run.buckets, library)()
    assert type(frame).__module__.partition(".")[0] == library
    assert list(frame["label"]) == run.buckets["label"]
    assert list(frame["requests"]) == run.buckets["requests"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_installed_is_named_in_one_line(library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingPackageError, match=f"{library} is not installed.*run: pip install {library}"):
        getattr(Table.of([], ("a",)), library)()
