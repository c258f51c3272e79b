"""Fixtures that every folder of tests shares."""

import os
from pathlib import Path

import duckdb
import pytest

from otel_ragfault.store.derived import refresh_derived
from otel_ragfault.store.schema import create_schema
from paths import REPOSITORY

pytest_plugins = ["pytester"]  # tests of the plugin for pytest run pytest


@pytest.fixture
def memory_factory():
    """A function that opens an empty database of ours in memory."""
    opened = []

    def open_one():
        con = duckdb.connect()
        create_schema(con, "tests")
        refresh_derived(con)
        opened.append(con)
        return con

    yield open_one
    for con in opened:
        con.close()


@pytest.fixture(scope="module")
def memory():
    """A database of ours in memory, shared by a module."""
    con = duckdb.connect()
    create_schema(con, "tests")
    refresh_derived(con)
    yield con
    con.close()


@pytest.fixture(scope="session")
def realdata():
    """The folder of real questions with human gold; the test is skipped where it is absent."""
    folder = Path(os.environ.get("RAGFAULT_REALDATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set RAGFAULT_REALDATA")
    return folder
