"""What follows from the code alone is brought up to date in files that an earlier release wrote."""

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from otel_ragfault.store import connect, derived_is_current


@pytest.fixture
def older(tmp_path):
    """A database whose views and macros are those of an earlier release: one is not there yet."""
    path = tmp_path / "older.duckdb"
    with connect(path, create=True) as con:
        con.execute("DROP MACRO TABLE request_measures")
        con.execute("UPDATE ragfault_meta SET value = 'earlier' WHERE key = 'derived_digest'")
    return path


def test_opening_for_writing_brings_them_up_to_date(older):
    with connect(older) as con:
        assert con.execute("FROM request_measures()").fetchall() == []
        assert derived_is_current(con)


def test_a_command_that_only_reads_brings_them_up_to_date_first(older):
    with connect(older, read_only=True) as con:
        assert not derived_is_current(con)
    found = CliRunner().invoke(program, ["query", "--db", str(older), "request_measures", "--json"])
    assert (found.exit_code, found.stdout) == (0, "[]\n")
    with connect(older, read_only=True) as con:
        assert derived_is_current(con)


def test_a_new_file_is_up_to_date(tmp_path):
    with connect(tmp_path / "new.duckdb", create=True) as con:
        assert derived_is_current(con)
