import json
import subprocess
import sys

import pytest

from cli.files import otlp, write_lines

ONE = otlp(1, case="a", query="q", ranked=["g"], prompt=["g"], answer="x")


def test_counts_are_reported_and_requests_are_built(run, tmp_path, traces):
    ran = run("import", "--db", tmp_path / "new.duckdb", traces)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "8 spans stored from 1 file, 0 more were there already\n2 requests built from 2 traces\n"


def test_json(run, tmp_path, traces):
    ran = run("import", "--db", tmp_path / "new.duckdb", "--json", traces, traces)
    assert ran.json == {
        "files": 2,
        "spans": 8,
        "duplicates": 8,
        "logs": 0,
        "log_duplicates": 0,
        "requests": 2,
        "traces": 2,
        "unusable": {},
        "skipped": {},
        "passed_over": [],
        "problem_count": 0,
        "problems": [],
    }


def log_line(number):
    record = {"timeUnixNano": str(1_790_000_000_000_000_000 + number), "body": {"stringValue": "said"}}
    return json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]})


def test_log_records_are_counted_beside_spans(run, tmp_path):
    file = write_lines(tmp_path / "mixed.jsonl", ONE, log_line(1), log_line(2))
    ran = run("import", "--db", tmp_path / "new.duckdb", file)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("4 spans and 2 log records stored from 1 file, 0 more were there already\n")
    again = run("import", "--db", tmp_path / "new.duckdb", "--json", file).json
    assert (again["spans"], again["logs"], again["duplicates"], again["log_duplicates"]) == (0, 0, 4, 2)


def test_the_same_file_again_stores_and_builds_nothing(run, db, traces):
    found = run("import", "--db", db, "--json", traces).json
    assert (found["spans"], found["duplicates"], found["requests"]) == (0, 8, 0)


def test_bad_lines_are_named_with_file_and_line_and_the_rest_goes_in(run, tmp_path):
    file = write_lines(tmp_path / "mixed.jsonl", ONE, "{broken", json.dumps([1]), json.dumps({"resourceMetrics": []}))
    ran = run("import", "--db", tmp_path / "new.duckdb", file)
    assert ran.code == 2
    first, second, last = ran.err.splitlines()
    assert first.startswith(f"{file}:2: ")
    assert second.startswith(f"{file}:3: ")
    assert last == (
        "ragfault: 2 parts of the files could not be read as OTLP; everything else was loaded; "
        "correct the files and import them again"
    )
    assert "4 spans stored" in ran.out
    assert "1 request of metrics skipped" in ran.out


def test_a_file_without_any_span_leaves_no_database_behind(run, tmp_path):
    file = write_lines(tmp_path / "bad.jsonl", "nothing")
    assert run("import", "--db", tmp_path / "new.duckdb", file).code == 2
    assert not (tmp_path / "new.duckdb").exists()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda path: path, "no such file", id="missing"),
        pytest.param(lambda path: path.mkdir(), "a directory", id="directory"),
    ],
)
def test_a_path_that_is_no_file_is_one_line(run, tmp_path, make, words):
    make(tmp_path / "spans.jsonl")
    assert words in run("import", "--db", tmp_path / "new.duckdb", tmp_path / "spans.jsonl").line


def test_nothing_of_a_progress_bar_reaches_a_pipe(tmp_path, traces):
    command = [sys.executable, "-m", "otel_ragfault", "import", "--db", tmp_path / "new.duckdb", traces]
    ran = subprocess.run(command, capture_output=True, check=True)
    assert ran.stderr == b""
    assert b"\x1b" not in ran.stdout
