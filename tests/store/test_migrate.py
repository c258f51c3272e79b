"""Files of earlier schema versions are brought up to date in place, and lose nothing."""

import json
import re
import uuid
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from otel_ragfault.errors import DatabaseError, OlderSchemaError
from otel_ragfault.store import SCHEMA_VERSION, connect

SCHEMA_1 = Path(__file__).with_name("schema_1.sql").read_text("utf-8")
SCHEMA_2 = Path(__file__).with_name("schema_2.sql").read_text("utf-8")
TRACE = uuid.UUID(int=7)


@pytest.fixture
def first(tmp_path):
    """A database of schema version 1 with a row in every table that changes."""
    path = tmp_path / "first.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(SCHEMA_1)
        con.execute("INSERT INTO ragfault_meta VALUES ('schema_version', '1'), ('created_by', 'otel-ragfault 0.1.0')")
        fill(con)
    return path


@pytest.fixture
def second(tmp_path):
    """A database of schema version 2 with a row in every table."""
    path = tmp_path / "second.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute(SCHEMA_2)
        con.execute("INSERT INTO ragfault_meta VALUES ('schema_version', '2'), ('created_by', 'otel-ragfault 0.1.0')")
        put_a_row_into_each_table(con)
    return path


def fill(con):
    """Fill a database of version 1: a row in each table, and two snapshots."""
    put_a_row_into_each_table(con)
    con.execute("DELETE FROM corpus_chunk")
    con.execute("DELETE FROM corpus_snapshot")
    con.execute("INSERT INTO corpus_snapshot VALUES ('a', 2, 'f', '2026-01-01'), ('b', 1, 'g', '2026-01-02')")
    con.execute(
        "INSERT INTO corpus_chunk (snapshot_id, chunk_id, doc_id, text) "
        "VALUES ('a', 'c1', 'd', 'one'), ('a', 'c2', 'd', 'two'), ('b', 'c3', NULL, NULL)"
    )


def put_a_row_into_each_table(con):
    """Put one plausible row into each table: every column that must be there, by type."""
    values = {"UUID": TRACE, "VARCHAR": "x", "BOOLEAN": True, "JSON": "{}", "VARCHAR[]": ["x"]}
    tables = con.execute("SELECT DISTINCT table_name FROM duckdb_columns() WHERE NOT internal ORDER BY 1").fetchall()
    for (table,) in tables:
        if table == "ragfault_meta":
            continue
        columns = con.execute(
            "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? AND NOT is_nullable", [table]
        ).fetchall()
        row = {name: "2026-01-01" if "TIME" in kind else values.get(kind, 1) for name, kind in columns}
        marks = ", ".join("?" for _ in row)
        con.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def columns(con):
    """Every column of every table: type, whether it may be NULL, and what its comment says."""
    return con.execute(
        "SELECT table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns() "
        "WHERE NOT internal AND schema_name = 'main' AND database_name = current_database() ORDER BY ALL"
    ).fetchall()


def counts(con, tables):
    return {table: con.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def test_a_migrated_file_is_like_a_new_one(first, tmp_path):
    with connect(first) as old, connect(tmp_path / "new.duckdb", create=True) as new:
        assert columns(old) == columns(new)
        found = old.execute("SELECT value FROM ragfault_meta WHERE key = 'schema_version'").fetchall()
        assert found == [(str(SCHEMA_VERSION),)]


def test_a_file_of_the_version_before_is_like_a_new_one_and_keeps_its_rows(second, tmp_path):
    names = sorted(set(re.findall(r"CREATE TABLE ([a-z_]+)", SCHEMA_2)) - {"ragfault_meta", "rule"})
    with duckdb.connect(str(second)) as con:
        before = counts(con, names)
    with connect(second) as old, connect(tmp_path / "new.duckdb", create=True) as new:
        assert columns(old) == columns(new)
        assert counts(old, names) == before
        assert set(before.values()) == {1}


def test_every_row_is_kept(first):
    names = sorted(set(re.findall(r"CREATE TABLE ([a-z_]+)", SCHEMA_1)) - {"ragfault_meta", "rule"})
    with duckdb.connect(str(first)) as con:
        before = counts(con, names)
    with connect(first) as con:
        assert counts(con, names) == before
        chunks = con.execute(
            "SELECT snapshot_id, chunk_id, doc_id, position, text FROM corpus_chunk ORDER BY ALL"
        ).fetchall()
        assert con.execute("SELECT DISTINCT repeat_no FROM verdict").fetchall() == [(1,)]
    assert chunks == [("a", "c1", "d", 1, "one"), ("a", "c2", "d", 2, "two"), ("b", "c3", None, None, None)]


def test_opening_it_a_second_time_changes_nothing(first):
    with connect(first) as con:
        once = columns(con)
    with connect(first) as con:
        assert columns(con) == once


def test_a_reader_says_what_to_do_and_leaves_it_alone(first):
    before = first.read_bytes()
    with pytest.raises(OlderSchemaError, match="bring the file up to date"):
        connect(first, read_only=True)
    assert first.read_bytes() == before


def test_a_command_that_only_reads_brings_it_up_to_date_first(first):
    found = CliRunner().invoke(program, ["query", "--db", str(first), "--sql", "SELECT count(*) n FROM span", "--json"])
    assert (found.exit_code, json.loads(found.stdout)) == (0, [{"n": 1}])


def test_a_migration_that_fails_leaves_the_file_as_it_was(first):
    with duckdb.connect(str(first)) as con:
        con.execute("DROP TABLE corpus_chunk")
        before = columns(con)
    with pytest.raises(DatabaseError, match="nothing was changed"):
        connect(first)
    with duckdb.connect(str(first)) as con:
        assert columns(con) == before
        assert con.execute("SELECT value FROM ragfault_meta WHERE key = 'schema_version'").fetchall() == [("1",)]
