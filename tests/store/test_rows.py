"""Rows by the names of their columns, and tables that are there for a block only."""

import duckdb
import pyarrow as pa
import pytest

from otel_ragfault.store import named_rows, registered, transaction

TABLE = pa.table({"id": [1, 2], "text": ["a", "b"]})


@pytest.fixture
def con():
    with duckdb.connect() as opened:
        yield opened


def test_rows_come_by_the_names_of_their_columns(con):
    with registered(con, "incoming", TABLE):
        found = named_rows(con.execute("SELECT text AS said, id FROM incoming ORDER BY id"))
    assert found == [{"said": "a", "id": 1}, {"said": "b", "id": 2}]


def test_a_table_is_gone_behind_its_block(con):
    with registered(con, "incoming", TABLE):
        assert con.execute("SELECT count(*) FROM incoming").fetchall() == [(2,)]
    with pytest.raises(duckdb.CatalogException):
        con.execute("FROM incoming")


def test_an_error_inside_a_transaction_is_raised_as_it_is_and_the_table_is_gone(con):
    with (
        pytest.raises(duckdb.ConversionException),
        transaction(con),
        registered(con, "incoming", TABLE),
    ):
        con.execute("SELECT CAST(text AS INTEGER) FROM incoming").fetchall()
    with pytest.raises(duckdb.CatalogException):
        con.execute("FROM incoming")
