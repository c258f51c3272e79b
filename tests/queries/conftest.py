import io
import textwrap

import pytest

from otel_ragfault.cli.formats import write_csv
from otel_ragfault.jobs.query import run_named


@pytest.fixture
def con(memory_factory):
    return memory_factory()


@pytest.fixture
def gives(con):
    """Assert that a named query gives this CSV."""

    def check(name, csv, **parameters):
        file = io.BytesIO()
        write_csv(run_named(con, name, parameters), file)
        assert file.getvalue().decode() == textwrap.dedent(csv).lstrip("\n")

    return check
