import duckdb
import pytest

from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture(scope="module")
def make_database():
    """A function that opens an empty database of ours in memory, for a whole module."""
    opened = []

    def make():
        found = duckdb.connect()
        create_schema(found, "tests")
        refresh_derived(found)
        opened.append(found)
        return found

    yield make
    for found in opened:
        found.close()
