import csv
import io
import os
from concurrent.futures import ThreadPoolExecutor

import pyarrow.parquet as pq
import pytest

from otel_ragfault.jobs.query import named_queries

VALUES = [
    pytest.param("'0123456789abcdef0123456789abcdef'::UUID", "0123456789abcdef0123456789abcdef", id="uuid"),
    pytest.param("TIMESTAMP '2026-01-31 01:02:03.5'", "2026-01-31T01:02:03.500000Z", id="timestamp"),
    pytest.param("TIMESTAMPTZ '2026-01-31 01:02:03+02'", "2026-01-30T23:02:03Z", id="timestamp with zone"),
    pytest.param("TIMESTAMP_NS '2026-01-31 01:02:03.123456789'", "2026-01-31T01:02:03.123456789Z", id="nanoseconds"),
    pytest.param("DATE '2026-01-31'", "2026-01-31", id="date"),
    pytest.param("TIME '01:02:03'", "01:02:03", id="time"),
    pytest.param("INTERVAL '90 seconds'", "PT90S", id="interval"),
    pytest.param("'nan'::DOUBLE", None, id="nan"),
    pytest.param("'-inf'::FLOAT", None, id="infinity"),
    pytest.param("['nan'::DOUBLE, 1.5]", [None, 1.5], id="nan in a list"),
    pytest.param("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1, id="hugeint"),
    pytest.param("18446744073709551615::UBIGINT", 2**64 - 1, id="ubigint"),
    pytest.param("sum(x) FROM range(3) AS r(x)", 3, id="sum"),
    pytest.param("1.10::DECIMAL(38,2)", 1.1, id="decimal"),
    pytest.param("'\\xAA\\x00'::BLOB", "qgA=", id="blob"),
    pytest.param("TRUE", True, id="boolean"),
    pytest.param("NULL", None, id="null"),
    pytest.param(
        "{'a': ['00000000-0000-0000-0000-000000000001'::UUID], 'j': '{\"b\": [1]}'::JSON}",
        {"a": [f"{1:032x}"], "j": {"b": [1]}},
        id="struct",
    ),
    pytest.param("row(1, 'a')", [1, "a"], id="struct without names"),
    pytest.param("[{'a': NULL}]", [{"a": None}], id="list of structs"),
    pytest.param("[1, 2]::INTEGER[2]", [1, 2], id="array"),
    pytest.param("MAP {1: 'x'}", {"1": "x"}, id="map"),
    pytest.param("MAP {[1]: 'x'}", [{"key": [1], "value": "x"}], id="map with lists as keys"),
    pytest.param(
        '\'{"n": 123456789012345678901234567890, "t": "a\\u0000b"}\'::JSON',
        {"n": 123456789012345678901234567890, "t": "a\0b"},
        id="json",
    ),
    pytest.param("'[NaN]'::JSON", "[NaN]", id="json that is not strict"),
    pytest.param("NULL::JSON", None, id="json null"),
    pytest.param("'null'::JSON", None, id="json's own null"),
    pytest.param("union_value(k := 1)", 1, id="union"),
    pytest.param("'a'::ENUM('a', 'b')", "a", id="enum"),
]


@pytest.fixture
def ask(run, db):
    return lambda sql, *options: run("query", "--db", db, "--sql", sql, *options)


@pytest.mark.parametrize(("expression", "value"), VALUES)
def test_every_type_has_one_form_in_json(ask, expression, value):
    assert (
        ask(f"SELECT {expression if ' FROM ' in expression else expression + ' AS x'}", "--json").json[0].popitem()[1]
        == value
    )


@pytest.mark.parametrize(("expression", "value"), VALUES)
def test_every_type_can_be_printed_as_csv_and_as_a_table(ask, expression, value):
    assert ask(f"SELECT {expression}", "--format", "csv").code == 0
    assert ask(f"SELECT {expression}").code == 0


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 AS x",
        "WITH a AS (SELECT 1 AS x) FROM a",
        "FROM request",
        "DESCRIBE request",
        "SHOW TABLES",
        "SUMMARIZE request",
        "EXPLAIN SELECT 1",
        "PIVOT (SELECT 1 AS x, 'a' AS y) ON y",
        "VALUES (1)",
        "(SELECT 1)",
        "SELECT 1; -- done; really",
        "TABLE label",
    ],
)
def test_a_statement_that_asks_is_answered(ask, sql):
    assert isinstance(ask(sql, "--json").json, list)


def test_times_of_spans_keep_their_nanoseconds_and_names_may_repeat(ask):
    (row,) = ask(
        "SELECT start_time, start_time, end_time AS x, 1 AS x FROM span ORDER BY start_time LIMIT 1; -- first", "--json"
    ).json
    assert row == {
        "start_time": "2026-09-21T14:13:20.000001000Z",
        "start_time_2": "2026-09-21T14:13:20.000001000Z",
        "x": "2026-09-21T14:13:21.000001000Z",
        "x_2": 1,
    }


def test_no_rows_are_an_empty_list(ask):
    assert ask("SELECT 1 WHERE FALSE", "--json").out == "[]\n"
    assert ask("SELECT 1 AS x WHERE FALSE", "--format", "csv").out == "x\n"


def test_csv_tells_null_from_an_empty_text_and_quotes_what_needs_it(ask):
    ran = ask(
        "SELECT NULL AS a, '' AS b, 'x,\"y\"' AS c, E'l1\\nl2' AS d, [1, NULL] AS e, FALSE AS f", "--format", "csv"
    )
    assert ran.raw == b'a,b,c,d,e,f\n,"","x,""y""","l1\nl2","[1,null]",false\n'
    assert ask("SELECT NULL AS a", "--format", "csv").raw == b'a\n""\n'


def test_a_table_in_a_pipe_is_aligned_and_cuts_nothing(ask):
    out = ask("SELECT * FROM (VALUES ('☕☕', 1.0 / 3, 1), (repeat('y', 200), NULL, 22)) AS t(name, part, n)").out
    head, rule, first, second = out.splitlines()
    assert head.endswith("     part   n")
    assert rule == f"{'-' * 60}  --------  --"
    assert first == f"☕☕{' ' * 58}0.333333   1"
    assert second == f"{'y' * 200}      NULL  22"


@pytest.mark.parametrize("form", ["json", "csv", "parquet"])
def test_a_file_has_the_format_that_its_name_ends_with(ask, tmp_path, form):
    out = tmp_path / f"out.{form}"
    ran = ask("SELECT 1 AS x, '00000000-0000-0000-0000-000000000001'::UUID AS u, 2 AS x", "--out", out)
    assert (ran.code, ran.out, ran.err) == (0, "", f"note: written to {out}\n")
    if form == "parquet":
        table = pq.read_table(out)
        assert table.column_names == ["x", "u", "x_2"]
        assert table["u"].to_pylist() == [f"{1:032x}"]
    assert [path.name for path in tmp_path.glob("out.*")] == [out.name]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        pytest.param(["--sql", "SELECT 1", "--format", "parquet"], "give --out FILE", id="parquet to a terminal"),
        pytest.param(["--sql", "SELECT 1", "--out", "x.txt"], "give --format", id="no format"),
        pytest.param(["--sql", "SELECT 1", "--json", "--format", "csv"], "contradict", id="two formats"),
        pytest.param(["--sql", "SELECT 1", "--out", "no/such/dir.csv"], "there is no folder", id="no folder"),
        pytest.param(
            ["--sql", "SELECT INTERVAL 1 DAY", "--out", "x.parquet"], "cast that column", id="type that Parquet lacks"
        ),
        pytest.param([], "NAME of a query", id="neither"),
        pytest.param(["recall", "--sql", "SELECT 1"], "not both", id="both"),
        pytest.param(["failure_bucket"], "did you mean 'failure_buckets'?", id="misspelt name"),
        pytest.param(["xyz"], "known are", id="unknown name"),
        pytest.param(
            ["recall", "--param", "k=1"], "recall has no parameter 'k'; it has none", id="parameter of a named query"
        ),
        pytest.param(["label_cases", "--param", "labl=1"], "it has label, request_run_id", id="misspelt parameter"),
        pytest.param(["label_cases", "--param", "label"], "wanted NAME=VALUE", id="no value"),
        pytest.param(
            ["--sql", "SELECT $n::INTEGER", "--param", "n=many"],
            "Could not convert string 'many'",
            id="value that does not fit",
        ),
        pytest.param(["--sql", "SELECT $a"], "give one: --param a=VALUE", id="parameter not given"),
        pytest.param(["--sql", "SELECT 1", "--param", "a=1"], "no parameter 'a'", id="parameter not wanted"),
        pytest.param(["--sql", "SELECT ?"], "wanted a name such as $case", id="parameter without a name"),
        pytest.param(["--sql", "SELECT labl FROM label"], "correct it", id="no such column"),
        pytest.param(["--sql", ""], "found no statement", id="empty"),
    ],
)
def test_what_cannot_be_asked_is_one_line(run, db, args, words):
    assert words in run("query", "--db", db, *args).line


def test_a_value_is_bound_and_never_becomes_sql(ask):
    text = "'; DROP TABLE label; --"
    assert ask("SELECT $t AS t", "--param", f"t={text}", "--json").json == [{"t": text}]
    assert ask("SELECT count(*) AS n FROM request WHERE k = $k", "--param", "$k=2", "--json").json == [{"n": 2}]


def test_the_list_shows_every_named_query_and_needs_no_database(run):
    found = run("query", "--list", "--json").json
    assert [query["name"] for query in found] == list(named_queries())
    assert all(query["purpose"] and "Grain:" in query["header"] for query in found)
    text = run("query", "--list").out
    assert all(name in text for name in named_queries())
    assert run("query", "--json", "--list").json == found


def test_every_named_query_answers_on_a_labelled_database(run, labelled):
    for name in named_queries():
        assert isinstance(run("query", "--db", labelled, "--json", name).json, list)
    rows = list(csv.DictReader(io.StringIO(run("query", "--db", labelled, "--format", "csv", "recall").out)))
    assert (rows[0]["recall_1"], rows[0]["recall_3"], rows[0]["requests"]) == ("0.5", "1.0", "2")


def test_a_link_is_followed_and_a_pipe_is_written_to(ask, tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    assert ask("SELECT 1 AS x", "--out", tmp_path / "link.csv").code == 0
    assert (tmp_path / "target.csv").read_text(encoding="utf-8") == "x\n1\n"
    assert (tmp_path / "link.csv").is_symlink()
    os.mkfifo(tmp_path / "pipe.csv")
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit((tmp_path / "pipe.csv").read_text, encoding="utf-8")
        assert ask("SELECT 1 AS x", "--out", tmp_path / "pipe.csv").code == 0
        assert found.result(10) == "x\n1\n"


def test_a_query_that_fails_half_way_leaves_the_old_file(ask, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    sql = "SELECT CASE WHEN range < 50000 THEN '1' ELSE 'x' END::INTEGER AS n FROM range(60000)"
    assert "Could not convert" in ask(sql, "--out", out).line
    assert out.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.glob("out*")] == ["out.csv"]


def test_the_database_itself_is_no_place_for_the_output(run, db):
    assert "is the database itself" in run("query", "--db", db, "recall", "--format", "csv", "--out", db).line
