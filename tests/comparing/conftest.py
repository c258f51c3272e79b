import pytest

from comparing.runs import AFTER, BEFORE
from otel_ragfault.jobs.comparing import Source, compare_runs
from otel_ragfault.model import Config


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture
def compared(con):
    """A function that compares the two runs of the database, or two others."""

    def run(before=BEFORE, after=AFTER, config=None, **options):
        return compare_runs(Source(con, before), Source(con, after), config or Config(), **options)

    return run
