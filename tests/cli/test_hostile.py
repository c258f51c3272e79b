"""Hostile ids and texts come out as they went in; hostile SQL is refused, or harmless."""

import csv
import io

import duckdb
import pytest

from cli.files import otlp, write_lines

TEXTS = [
    pytest.param('it\'s "quoted", `twice`', id="quotes"),
    pytest.param("line 1\nline 2\r\nline 3\ttab", id="newlines"),
    pytest.param("a\0b", id="NUL"),
    pytest.param("👩‍👩‍👧 ☕ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", id="emoji"),
    pytest.param("\u202eright to left\u2066", id="right to left"),
    pytest.param("\u2028\u2029\ufeff", id="line separators"),
    pytest.param("'; DROP TABLE request; --", id="SQL"),
    pytest.param("\x1b[2J\x1b]0;title\x07\x9b", id="terminal escapes"),
    pytest.param("[bold]markup[/bold] {x} %s $k", id="markup"),
    pytest.param("=cmd|' /C calc'!A0", id="formula"),
    pytest.param("x" * 1_000_000, id="1 MB"),
    pytest.param('{"$bytes": "AA=="}', id="JSON"),
]
CONTROL = set(
    map(chr, [*range(32), 127, *range(128, 160), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
) - {"\n"}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_travels_from_a_file_to_every_format_unharmed(run, tmp_path, text):
    db = tmp_path / "rag.duckdb"
    line = otlp(1, case=text, query=text, ranked=[text], prompt=[text], answer=text)
    assert run("import", "--db", db, write_lines(tmp_path / "t.jsonl", line)).code == 0
    ask = ["query", "--db", db, "--sql", "SELECT case_id, query, ranked_ids[1] AS hit, answer FROM request"]
    assert run(*ask, "--json").json == [dict.fromkeys(["case_id", "query", "hit", "answer"], text)]
    csv.field_size_limit(2_000_000)
    rows = list(csv.reader(io.StringIO(run(*ask, "--format", "csv").raw.decode(), newline="")))
    assert rows == [["case_id", "query", "hit", "answer"], [text] * 4]
    table = run(*ask).out
    assert table.count("\n") == 3
    assert not CONTROL & set(table)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_as_parameter_is_a_value(run, db, text):
    sql = "SELECT $t AS t"
    assert run("query", "--db", db, "--json", "--sql", sql, "--param", f"t={text}").json == [{"t": text}]
    assert run("query", "--db", db, "--json", "label_cases", "--param", f"label={text}").json == []


REFUSED = [
    "DROP TABLE request",
    "DELETE FROM request",
    "UPDATE request SET k = 1",
    "INSERT INTO ragfault_meta VALUES ('a', 'b')",
    "CREATE TABLE x (a INTEGER)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "ALTER TABLE request ADD COLUMN x INTEGER",
    "TRUNCATE request",
    "COPY request TO 'stolen.csv'",
    "COPY request FROM '/etc/passwd'",
    "EXPORT DATABASE 'stolen'",
    "IMPORT DATABASE 'x'",
    "ATTACH 'other.duckdb' AS other",
    "DETACH rag",
    "USE rag",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET threads = 1",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "PRAGMA enable_external_access=1",
    "CALL duckdb_tables()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE request",
    "-- only a comment",
    ";",
    "nonsense",
    "SELECT",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "FROM '/etc/passwd'",
    "SELECT * FROM glob('/*')",
    "FROM read_parquet('https://example.org/x.parquet')",
    "WITH a AS (INSERT INTO ragfault_meta VALUES ('a', 'b') RETURNING *) FROM a",
    "EXPLAIN ANALYZE DELETE FROM request",
    "FROM query('DROP TABLE request')",
    "SELECT getenv('HOME')",
    "FROM duckdb_secrets()",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "COMMENT ON TABLE request IS 'x'",
    "EXPLAIN COPY request TO 'stolen.csv'",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_more_than_a_question_is_refused_in_one_line_and_changes_nothing(run, db, tmp_path, sql):
    before = db.read_bytes(), sorted(path.name for path in tmp_path.iterdir())
    assert run("query", "--db", db, "--sql", sql).line
    assert run("query", "--db", db, "--sql", sql, "--out", "x.parquet").line
    assert (db.read_bytes(), sorted(path.name for path in tmp_path.iterdir())) == before


def test_a_variable_of_the_program_is_no_table(run, db):
    for name in ("con", "rows", "cursor", "statement", "columns"):
        assert "does not exist" in run("query", "--db", db, "--sql", f"FROM {name}").line


def test_hostile_columns_cannot_leave_their_place(run, db):
    name = 'x"; DROP TABLE request; --\x1b'
    quoted = '"' + name.replace('"', '""') + '"'
    sql = f"SELECT start_time AS {quoted} FROM span LIMIT 1"
    assert list(run("query", "--db", db, "--json", "--sql", sql).json[0]) == [name]
    assert "\x1b" not in run("query", "--db", db, "--sql", sql).out
    with duckdb.connect(str(db), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM request").fetchone() == (2,)
