"""Databases of the demonstration, as a notebook opens them."""

import shutil

import pytest

from otel_ragfault import Run
from otel_ragfault.demo import run_demo


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    return run_demo(tmp_path_factory.mktemp("api"))


@pytest.fixture(scope="session")
def run(demo):
    return Run.open(demo.db)


@pytest.fixture
def db(demo, tmp_path):
    """A copy of the database, to be changed."""
    return shutil.copy(demo.db, tmp_path / "copy.duckdb")


@pytest.fixture(scope="session")
def compared(demo):
    before, after = (Run.open(demo.experiments_db, run=name) for name in ("k=2 budget=50", "k=3 budget=80"))
    return before.compare(after, expect=["retrieval.below_k decreases"])
