import duckdb
import pytest

from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema


@pytest.fixture(scope="module")
def make_database():
    """A function that opens an empty database of ours in memory."""
    opened = []

    def make():
        con = duckdb.connect()
        create_schema(con, "tests")
        refresh_derived(con)
        opened.append(con)
        return con

    yield make
    for con in opened:
        con.close()
