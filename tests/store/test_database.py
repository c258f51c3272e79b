"""Opening a database: what is created, what is refused, who may wait for whom."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import duckdb
import pyarrow as pa
import pytest

from otel_ragfault.errors import DatabaseError, SchemaVersionError
from otel_ragfault.store import SCHEMA_VERSION, attach, connect, start_instance, transaction


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rag.duckdb"


def meta(path):
    with connect(path, read_only=True) as con:
        return dict(con.execute("FROM ragfault_meta").fetchall())


def test_a_new_database_knows_its_schema_version_and_who_made_it(path):
    connect(path, create=True).close()
    assert meta(path)["schema_version"] == str(SCHEMA_VERSION)
    assert meta(path)["created_by"].startswith("otel-ragfault ")


def test_opening_again_changes_nothing(path):
    connect(path, create=True).close()
    before = meta(path)
    connect(path).close()
    connect(path, create=True).close()
    assert meta(path) == before


@pytest.mark.parametrize("read_only", [True, False], ids=["for reading", "for writing"])
@pytest.mark.parametrize(
    ("version", "said"),
    [
        pytest.param("999", "newer otel-ragfault", id="newer"),
        pytest.param("0", "no migration", id="older"),
        pytest.param("x", "no schema version", id="damaged"),
    ],
)
def test_another_schema_version_is_refused_with_a_reason_and_left_alone(path, version, said, read_only):
    connect(path, create=True).close()
    with duckdb.connect(str(path)) as con:
        con.execute("UPDATE ragfault_meta SET value = ? WHERE key = 'schema_version'", [version])
    with pytest.raises(DatabaseError, match=said) as raised:
        connect(path, read_only=read_only)
    assert str(path) in str(raised.value)
    assert isinstance(raised.value, SchemaVersionError) == version.isdecimal()
    with duckdb.connect(str(path)) as con:
        assert con.execute("SELECT value FROM ragfault_meta WHERE key = 'schema_version'").fetchall() == [(version,)]


def test_a_database_of_somebody_else_is_refused_and_left_alone(path):
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE invoices AS SELECT 1 AS x")
    with pytest.raises(DatabaseError, match=r"other tables \(invoices\)"):
        connect(path, create=True)
    with duckdb.connect(str(path)) as con:
        assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("invoices",)]


@pytest.mark.parametrize("content", [b"not a database", b"\0" * 5000], ids=["text", "zeros"])
def test_a_file_that_is_no_database_is_refused_in_one_line(path, content):
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match="cannot be opened as a DuckDB database") as raised:
        connect(path, create=True)
    assert "\n" not in str(raised.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("options", [{"read_only": True}, {"read_only": True, "create": True}, {}], ids=str)
def test_a_missing_database_is_not_made_by_those_who_only_look(path, options):
    with pytest.raises(DatabaseError, match="no such database"):
        connect(path, **options)
    assert not path.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DatabaseError, match="nowhere"):
        connect(tmp_path / "nowhere" / "rag.duckdb", create=True)


def test_a_reading_connection_can_neither_write_nor_leave_the_file(path, tmp_path):
    connect(path, create=True).close()
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with connect(path, read_only=True) as con:
        for statement in (
            "DELETE FROM span",
            f"FROM read_csv('{secret}')",
            f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
            f"ATTACH '{tmp_path}/other.duckdb'",
            "INSTALL httpfs",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                con.execute(statement)


def held_by_another_process(path, seconds):
    code = "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('held', flush=True); time.sleep(float(sys.argv[2]))"
    holder = subprocess.Popen([sys.executable, "-c", code, str(path), str(seconds)], stdout=subprocess.PIPE)
    holder.stdout.readline()
    return holder


def test_a_database_that_another_process_holds_is_waited_for(path):
    connect(path, create=True).close()
    with held_by_another_process(path, 0.5):
        connect(path, wait=60).close()


def test_a_database_that_stays_held_is_reported(path):
    connect(path, create=True).close()
    with held_by_another_process(path, 60) as holder:
        with pytest.raises(DatabaseError, match=r"another process has held the database for 0\.1 s"):
            connect(path, wait=0.1)
        holder.kill()


def insert_and_fail(con):
    with transaction(con):
        con.execute("INSERT INTO ragfault_meta VALUES ('x', 'y')")
        raise ZeroDivisionError


def test_a_transaction_stores_all_or_nothing(path):
    with connect(path, create=True) as con:
        with pytest.raises(ZeroDivisionError):
            insert_and_fail(con)
        assert con.execute("SELECT count(*) FROM ragfault_meta WHERE key = 'x'").fetchall() == [(0,)]


def test_macros_views_and_rules_follow_the_code_without_a_new_schema_version(path):
    connect(path, create=True).close()
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE OR REPLACE MACRO span_hex(id) AS 'old'")
        con.execute("DELETE FROM rule")
        con.execute("UPDATE ragfault_meta SET value = 'of another release' WHERE key = 'derived_digest'")
    connect(path).close()
    with connect(path, read_only=True) as con:
        assert con.execute("SELECT span_hex(255), count(*) > 20 FROM rule").fetchall() == [("00000000000000ff", True)]


def test_every_column_is_documented_in_the_database(path):
    connect(path, create=True).close()
    with connect(path, read_only=True) as con:
        undocumented = con.execute(
            "SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_tables() USING (table_name) "
            "WHERE duckdb_columns.comment IS NULL AND NOT duckdb_columns.internal"
        ).fetchall()
    assert undocumented == []


def test_threads_that_open_one_new_database_at_once_all_read_arrow_there(tmp_path):
    threads, rounds = 4, 3
    together = Barrier(threads, timeout=60)

    def open_each(number):
        rows = pa.table({"number": [number]})
        for turn in range(rounds):
            together.wait()
            with closing(connect(tmp_path / f"{turn}.duckdb", create=True)) as con:
                con.register("rows", rows)
                assert con.execute("SELECT number FROM rows").fetchall() == [(number,)]
                con.unregister("rows")

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(open_each, range(threads)))


def test_a_database_that_cannot_be_prepared_is_not_held(path):
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE ragfault_meta (key VARCHAR)")  # and nothing of what should be in it
    with closing(start_instance()) as con:
        for _ in range(2):
            with pytest.raises(duckdb.BinderException):
                attach(con, path)
        duckdb.connect(str(path)).close()


@pytest.mark.parametrize("options", [{"read_only": True}, {}, {"create": True}], ids=str)
@pytest.mark.parametrize("head", [b"PAR1", b"SQLite format 3\0", b"\x93\x01\xff"], ids=["parquet", "sqlite", "binary"])
def test_a_file_of_another_kind_is_no_database_however_it_is_opened(path, head, options):
    content = head + bytes(range(256)) * 20
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match="cannot be opened as a DuckDB database"):
        connect(path, **options)
    assert path.read_bytes() == content
