import pytest

from comparing.runs import AFTER, BEFORE
from otel_ragfault.jobs.comparing import Source, compare_runs
from otel_ragfault.model import Config


@pytest.fixture
def con(memory):
    """A database of ours in memory, emptied for each test."""
    for table in ("span", "request", "label", "label_run", "gold_case", "gold_evidence", "segment"):
        memory.execute(f"DELETE FROM {table}")
    return memory


@pytest.fixture
def compared(con):
    """A function that compares the two runs of the database, or two others."""

    def run(before=BEFORE, after=AFTER, config=None, **options):
        return compare_runs(Source(con, before), Source(con, after), config or Config(), **options)

    return run
