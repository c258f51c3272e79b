"""The command prints what a replay found: for one case, for many, as JSON, as CSV, as a plot."""

import csv
import json

import pytest
from click.testing import CliRunner

from jobs.spans import pipeline, store
from otel_ragfault.cli.whatif import whatif
from otel_ragfault.gold import load_gold
from otel_ragfault.store import connect
from whatif.conftest import CASE, recording, write_lines

TEXTS = {"a": "one two", "b": "three", "x": "four"}


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    """A database with one request, whose second hit has no id."""
    folder = tmp_path_factory.mktemp("one")
    with connect(folder / "one.duckdb", create=True) as con:
        recording(con, folder)(("a", None, "b"), ("a", None))
    return folder / "one.duckdb"


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """A database with two cases, one of which was asked twice; each ranked x, a, b, showed x, and needs a or b."""
    folder = tmp_path_factory.mktemp("many")
    cases = [CASE | {"evidence": [["a"]]}, CASE | {"case_id": "case-2", "query": "how?", "evidence": [["b"]]}]
    write_lines(folder / "gold.jsonl", cases)
    with connect(folder / "many.duckdb", create=True) as con:
        load_gold(con, folder / "gold.jsonl")
        for trace, case in enumerate(("case-1", "case-1", "case-2"), 1):
            store(con, *pipeline(trace * 10, trace=trace, case=case, hits=("x", "a", "b"), shown=("x", "a")))
    return folder / "many.duckdb"


def run(db, *arguments, fails=False):
    result = CliRunner().invoke(whatif, ["--db", str(db), *arguments], catch_exceptions=fails)
    assert bool(result.exit_code) == fails, result.output
    return result


def table(text):
    """The cells of a table; what stands below it is left out."""
    lines = text.split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines if not line.startswith("-")]


def test_a_hit_without_an_id_and_what_is_not_known_are_shown_as_such(one):
    result = run(one, "--case", "case-1", "--k", "2,3,4")
    heading, *rows = table(result.stdout)
    assert heading == ["k", "budget", "prompt", "label"]
    assert rows == [
        ["2", "none", "a (no id)", "generation.wrong_answer"],
        ["3", "none", "a (no id) b", "evidence would have reached the prompt; what becomes of it needs a generator"],
        ["4", "none", "not known (k is beyond what was recorded of the ranking)", "unknown.prompt_ids"],
    ]
    assert "1 row needs a generator: evidence would have reached the prompt" in result.stderr


def test_requests_of_one_case_are_told_apart(many):
    heading, *rows = table(run(many, "--case", "case-1", "--k", "2").stdout)
    assert heading == ["k", "budget", "request", "run", "trace", "prompt", "label"]
    assert len({row[2] for row in rows}) == 2


def test_a_run_chooses_among_the_requests_of_a_case(many):
    result = run(many, "--case", "case-1", "--run", "yesterday", fails=True)
    assert "no request with gold belongs to case 'case-1' and comes from run 'yesterday'" in str(result.exception)


def test_many_cases_get_a_line_a_setting(many):
    heading, *rows = table(run(many, "--k", "1,2,3").stdout)
    assert heading[:4] == ["k", "requests", "evidence complete", "interval"]
    assert [row[:3] for row in rows] == [
        ["1", "3", "0.00"],
        ["2", "3", f"0.50 {10 * '#'}"],
        ["3", "3", f"1.00 {20 * '#'}"],
    ]
    assert [row[-1] for row in rows] == ["unknown.scores 3", "pass 2, unknown.scores 1", "unknown.answer 3"]


def test_json_holds_rows_and_a_summary(many):
    found = json.loads(run(many, "--k", "1,2", "--floor", "0.0", "--json").stdout)
    assert [len(found["rows"]), len(found["summary"])] == [6, 2]
    first, second = found["summary"]
    assert (first["k"], first["budget"], first["floor"], first["complete"], first["cases"]) == (1, None, 0.0, None, 2)
    assert second["complete_unknown"] == 3  # a floor over scores that were not recorded
    row = found["rows"][0]
    assert (row["case_id"], row["request_id"] == row["trace_id"], row["says"]) == ("case-1", True, row["label"])
    assert "not known" in row["not_known"]


def test_csv_holds_the_rows(many, tmp_path):
    run(many, "--k", "1,3", "--out", str(tmp_path / "rows.csv"))
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["case_id"], row["k"], json.loads(row["prompt"])) for row in rows[:2]] == [("case-1", "1", ["x"])] * 2
    assert rows[-1]["says"] == "evidence would have reached the prompt"


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_a_plot_has_a_line_a_budget(many, tmp_path, suffix):
    path = tmp_path / f"evidence{suffix}"
    run(many, "--k", "1,2,3", "--budget", "1,50", "--plot", str(path))
    if suffix == ".png":
        assert path.read_bytes().startswith(b"\x89PNG")
        return
    text = path.read_text(encoding="utf-8")
    assert "<svg" in text
    assert all(f"<!-- {words} -->" in text for words in ("budget 1", "budget 50", "k"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--plot", "out.svg"], "give --k with several values"),
        (["--plot", "out.gif", "--k", "1,2"], "a file name that ends in .svg"),
        (["--k", "0"], "positive whole numbers"),
        (["--floor", "high"], "finite numbers"),
        (["--packing", "best"], "one or several of stop,skip,shortest,score_density"),
        (["--rerank", "maybe"], "one or several of on,off"),
        (["--json", "--format", "csv"], "contradict"),
        (["--out", "rows.txt"], "--format json or csv"),
        (["--unit", "tokens"], "a tokenizer was wanted"),
        (["--generator", "nothing"], "module:function, file.py:function"),
        (["--generator", "a:b", "--timeout", "0"], "wanted a number above 0"),
        (["--k", "1,2", "--plot", "nowhere/p.svg"], "there is no folder"),
        (["--out", "nowhere/rows.csv"], "there is no folder"),
        (["--out", ".", "--json"], "is a folder; a file that can be written was wanted"),
        (["--case", "case-9"], "no request with gold belongs to case 'case-9'"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_one_line(many, tmp_path, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)
    result = run(many, *arguments, fails=True)
    assert why in f"{result.output} {result.exception}"
    assert list(tmp_path.iterdir()) == []


def test_a_plot_that_cannot_be_written_is_refused_before_anything_is_printed(many, tmp_path):
    result = run(many, "--k", "1,2", "--plot", str(tmp_path / "nowhere" / "p.svg"), fails=True)
    assert result.stdout == ""


def test_it_says_when_nothing_was_reranked(many):
    result = run(many, "--k", "2", "--rerank", "off")
    assert "note: --rerank changes nothing for 3 of 3 requests: no reranking was recorded of them" in result.stderr
    assert "rerank" not in run(many, "--k", "2").stderr


def test_what_was_reranked_is_not_told_so(tmp_path):
    with connect(tmp_path / "one.duckdb", create=True) as con:
        recording(con, tmp_path)(("a", "b"), ("a",), reranked=(("b", 0.9), ("a", 0.8)))
    assert "note: --rerank" not in run(tmp_path / "one.duckdb", "--rerank", "on,off").stderr


@pytest.mark.parametrize("has_gold", [False, True], ids=["nothing", "gold only"])
def test_a_database_in_which_something_is_missing_says_what(tmp_path, has_gold):
    from otel_ragfault.cli.program import program

    write_lines(tmp_path / "gold.jsonl", [CASE])
    with connect(tmp_path / "empty.duckdb", create=True) as con:
        if has_gold:
            load_gold(con, tmp_path / "gold.jsonl")
    found = CliRunner().invoke(program, ["whatif", "--db", str(tmp_path / "empty.duckdb"), "--k", "1,2"])
    assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert ("holds no request" if has_gold else "no gold case is loaded") in found.stderr


def test_without_matplotlib_a_plot_is_refused_before_anything_is_replayed(many, monkeypatch):
    monkeypatch.setattr("otel_ragfault.report.plots.find_spec", lambda name: None)
    result = run(many, "--k", "1,2", "--plot", "out.svg", fails=True)
    assert "pip install 'otel-ragfault[plot]'" in str(result.exception)


@pytest.mark.parametrize("options", [("--plot", "p.svg"), ("--out", "o.csv")], ids=["plot", "out"])
def test_where_nothing_can_be_written_nothing_is_replayed(many, tmp_path, options):
    option, name = options
    result = run(many, "--k", "1,2", option, str(tmp_path / "nowhere" / name), fails=True)
    assert "there is no folder" in f"{result.output} {result.exception}"
    assert "complete" not in result.stdout
    assert ".new-" not in result.output
