"""What holds for every SQL file that people run."""

import re

import pytest

from otel_ragfault.jobs.query import FOLDERS, named_queries
from otel_ragfault.sql import folder_queries
from queries import test_buckets, test_metrics

FILES = [
    pytest.param(folder, query, id=f"{folder}/{query.name}") for folder in FOLDERS for query in folder_queries(folder)
]


@pytest.mark.parametrize(("folder", "query"), FILES)
def test_a_file_opens_with_its_purpose_and_its_grain(folder, query):
    purpose, grain = query.header.split("\n")[:2]
    assert purpose.endswith((".", "?"))
    assert grain.startswith("Grain: one row a")


@pytest.mark.parametrize(("folder", "query"), FILES)
def test_every_parameter_is_documented_with_its_default_and_no_other_is(folder, query):
    documented = re.findall(r"^  \$([a-z_]+): .*?default: ", query.header, re.MULTILINE | re.DOTALL)
    assert sorted(documented) == list(query.parameters)
    assert ("Parameters:" in query.header) == bool(query.parameters)


@pytest.mark.parametrize(("folder", "query"), FILES)
def test_it_can_be_prepared_against_the_full_schema_and_run_without_parameters_on_no_rows(memory, folder, query):
    (statement,) = memory.extract_statements(query.text)
    assert statement.type.name == "SELECT"
    assert memory.execute(statement, dict.fromkeys(query.parameters)).fetchall() == []


@pytest.mark.parametrize(("folder", "query"), FILES)
def test_it_has_a_golden_case(folder, query):
    assert hasattr({"buckets": test_buckets, "metrics": test_metrics}[folder], f"test_{query.name}")


def test_a_name_is_that_of_one_query_only():
    assert len(named_queries()) == len(FILES)


@pytest.mark.parametrize(("folder", "query"), FILES)
def test_no_column_name_repeats(memory, folder, query):
    names = memory.execute(query.text, dict.fromkeys(query.parameters)).description
    assert len({name for name, *_ in names}) == len(names)
