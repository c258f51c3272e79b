"""Every command on databases that are not what it wants."""

import subprocess
import sys

import duckdb
import pytest

from cli.files import write_lines
from otel_ragfault.cli.tables import say_table
from otel_ragfault.jobs.build import needs_build
from otel_ragfault.store import connect

HOLD = "import duckdb, sys, time\ncon = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'read')\nprint('ready', flush=True)\ntime.sleep(60)"


def nothing(path):
    pass


def text(path):
    path.write_text("this is no database\n" * 200, encoding="utf-8")


def empty_file(path):
    path.touch()


def directory(path):
    path.mkdir()


def other_tables(path):
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE customers (id INTEGER)")


def no_tables(path):
    duckdb.connect(str(path)).close()


def newer(path):
    with connect(path, create=True) as con:
        con.execute("UPDATE ragfault_meta SET value = '999' WHERE key = 'schema_version'")


WRONG = [
    pytest.param(nothing, "no such database", id="missing"),
    pytest.param(text, "", id="text file"),
    pytest.param(empty_file, "", id="empty file"),
    pytest.param(directory, "", id="directory"),
    pytest.param(other_tables, "customers", id="other tables"),
    pytest.param(no_tables, "empty", id="no tables"),
    pytest.param(newer, "schema version 999", id="newer"),
]


@pytest.mark.parametrize(("make", "words"), WRONG)
@pytest.mark.parametrize("command", [["label"], ["query", "recall"]], ids=lambda command: command[0])
def test_reading_the_wrong_database_is_one_line(run, tmp_path, make, words, command):
    path = tmp_path / "wrong.duckdb"
    make(path)
    line = run(*command, "--db", path).line
    assert str(path) in line
    assert words in line


@pytest.mark.parametrize("make", [text, directory, other_tables, newer])
@pytest.mark.parametrize("command", ["import", "gold"])
def test_filling_the_wrong_database_is_one_line_and_leaves_it_alone(run, tmp_path, make, command, traces, gold):
    path = tmp_path / "wrong.duckdb"
    make(path)
    before = None if path.is_dir() else path.read_bytes()
    args = ["import", traces] if command == "import" else ["gold", "load", gold]
    assert str(path) in run(*args, "--db", path).line
    assert before is None or path.read_bytes() == before


@pytest.mark.parametrize("command", [["import"], ["gold", "load"], ["corpus", "load"]], ids=" ".join)
def test_a_folder_that_is_not_there_is_one_line(run, tmp_path, command, traces, gold):
    chunks = write_lines(tmp_path / "chunks.jsonl", {"chunk_id": "g"})
    file = {"import": traces, "gold": gold, "corpus": chunks}[command[0]]
    assert "no/such" in run(*command, "--db", tmp_path / "no/such/x.duckdb", file).line


@pytest.fixture
def hold(db):
    """Hold the database in another process, as a writer or as a reader."""
    held = []

    def start(how):
        process = subprocess.Popen([sys.executable, "-c", HOLD, db, how], stdout=subprocess.PIPE)
        held.append(process)
        assert process.stdout.readline() == b"ready\n"

    yield start
    for process in held:
        process.kill()
        process.communicate()


def test_a_database_that_another_process_writes_is_one_line(run, db, hold, monkeypatch):
    monkeypatch.setattr(
        "otel_ragfault.cli.database.connect", lambda path, **options: connect(path, **{**options, "wait": 0.1})
    )
    hold("write")
    assert "another process has held the database" in run("query", "--db", db, "recall").line
    assert "another process has held the database" in run("label", "--db", db).line


@pytest.fixture
def unbuilt(db):
    """The database as an exporter leaves it: spans have landed, requests are not built."""
    with connect(db) as con:
        con.execute("UPDATE segment SET built = FALSE")
        con.execute("DELETE FROM request")
    return db


def test_spans_that_landed_are_built_before_they_are_read(run, unbuilt):
    ran = run("query", "--db", unbuilt, "--json", "--sql", "SELECT count(*) AS n FROM request")
    assert (ran.json, ran.err) == ([{"n": 2}], "")
    with connect(unbuilt) as con:
        assert not needs_build(con)


def test_while_others_read_the_newest_spans_are_left_out_with_a_note(run, unbuilt, hold, monkeypatch):
    monkeypatch.setattr("otel_ragfault.cli.database._BUILD_WAIT", 0.1)
    hold("read")
    ran = run("query", "--db", unbuilt, "--json", "--sql", "SELECT count(*) AS n FROM request")
    assert (ran.code, ran.json) == (0, [{"n": 0}])
    assert ran.err.startswith("note: the newest spans are not built into requests yet")


def test_a_table_on_a_terminal_shows_markup_and_control_characters_as_text(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    say_table(["[b]name"], [["[red]x[/red]\x1b[2J\u202e" + "y" * 50]])
    out = capsys.readouterr().out
    assert "[b]name" in out
    assert "[red]x[/red]\\x1b[2J\\u202e" in out
    assert out.count("y") == 50


def test_a_terminal_that_is_too_narrow_gets_a_line_a_value(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    say_table(["a", "long"], [["1", "x" * 30], ["2", "y"]])
    assert capsys.readouterr().out == f"a     1\nlong  {'x' * 30}\n\na     2\nlong  y\n"
