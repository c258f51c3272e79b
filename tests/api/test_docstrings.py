"""The examples of the docstrings are run."""

import doctest

import pytest

from otel_ragfault.api import Run, Table, case, comparison, table
from otel_ragfault.api import run as run_module


@pytest.mark.parametrize(
    ("module", "database"),
    [
        pytest.param(table, None, id="table"),
        pytest.param(run_module, "db", id="run"),
        pytest.param(case, "db", id="case"),
        pytest.param(comparison, "experiments_db", id="comparison"),
    ],
)
def test_the_examples_of_a_module_hold(demo, module, database):
    known = {"Run": Run, "Table": Table}
    if database is not None:
        known |= {"path": getattr(demo, database), "run": Run.open(getattr(demo, database))}
    found = doctest.testmod(module, extraglobs=known, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 0
    assert found.failed == 0
