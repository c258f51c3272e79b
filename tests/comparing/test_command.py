"""``ragfault compare``, as a user runs it."""

import json
import re

import pytest
from click.testing import CliRunner

from comparing.runs import AFTER, BEFORE, put_cases, put_pairs, put_side
from otel_ragfault.cli.program import program
from otel_ragfault.store import connect
from queries.world import put_request, put_run

LOW, CUT, PASS = "retrieval.below_k", "assembly.cut", "pass"
PAIRS = {"a|b": (LOW, PASS), "b": (LOW, PASS), "c": (LOW, CUT), "d": (PASS, CUT), "e": (PASS, PASS)}


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "rag.duckdb"
    with connect(path, create=True) as con:
        put_pairs(con, PAIRS, before={"k": 2, "budget": 50}, after={"k": 3, "budget": 80})
    return path


def run(*args, code=0):
    found = CliRunner().invoke(program, ["compare", *map(str, args)])
    assert found.exit_code == code, found.output
    return found


def complaint(*args):
    found = run(*args, code=2)
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1, found.stderr
    return found.stderr.removeprefix("ragfault: ").strip()


def test_settings_come_first_then_counts_then_means_then_cases(db):
    found = run("--db", db, BEFORE, AFTER, "--expect", f"{LOW} decreases", "--by", "expect", "--k", "1")
    lines = found.stdout.splitlines()
    assert lines[0] == f"before  run main of {db}: 5 cases, 5 requests"
    titles = [line for line in lines if re.fullmatch(r"[A-Z][a-z ]+", line)]
    assert titles == [
        "Settings that differ",
        "Hypotheses",
        "Cases",
        "Labels",
        "Boundaries",
        "Mean paired changes",
        "Slices",
        "Changed cases",
    ]
    assert "k        2       3" in lines
    assert any(
        re.match(rf"{LOW} decreases +not decidable +0.6000 +0.0000 +0.2500 +5 +about \d+ +not significant", line)
        for line in lines
    )
    assert "improved       2  40.0%" in lines
    assert "pass on both sides 1, on neither 1, before only 1, after only 2: exact McNemar p = 1.0000" in lines
    assert f"{LOW}  {PASS}              2  40.0%" in lines
    assert "1 case (20.0%) kept the label" in lines
    assert any(
        re.match(r"passed +5 +0.4000 +0.6000 +\+0.2000 +-\d.\d{4} to \+\d.\d{4} +1.0000 +0$", line) for line in lines
    )
    assert any(re.match(r"a\|b +improved +retrieval.below_k \(wrong\) +pass \(correct\) +q$", line) for line in lines)
    assert lines[-1].startswith("intervals of 95")
    assert lines[-1].endswith(
        "paired, over cases, the wider of Student's t and the studentized bootstrap, as if two more cases changed "
        "(best), 1000 replicates, seed 1"
    )


def test_json_holds_the_whole_comparison(db):
    found = run("--db", db, BEFORE, AFTER, "--json", "--seed", "7", "--expect", "passed increases by 5%")
    printed = json.loads(found.stdout, parse_constant=lambda name: pytest.fail(f"{name} is not strict JSON"))
    assert printed["before"]["database"] == str(db)
    assert printed["changed_settings"]["k"] == {"before": ["2"], "after": ["3"]}
    assert printed["labels"][0] == {"before": LOW, "after": PASS, "cases": 2}
    assert printed["boundaries"][1] == {
        "boundary": "retrieval",
        "improved": 3,
        "unchanged": 2,
        "regressed": 0,
        "not_reached": 0,
    }
    assert printed["pass_test"] == {
        "both_pass": 1,
        "both_fail": 1,
        "only_before": 1,
        "only_after": 2,
        "p_value": 1.0,
        "left_out": 0,
    }
    assert [case["change"] for case in printed["cases"]] == ["improved", "improved", "moved", "regressed", "unchanged"]
    assert (printed["seed"], printed["replicates"], printed["confidence"]) == (7, 1000, 0.95)
    assert printed["hypotheses"][0]["by"] == 0.05
    assert printed["warnings"] == [found.stderr.removeprefix("warning: ").strip()]


def test_the_same_seed_gives_the_same_intervals(db):
    first, again, other = (run("--db", db, BEFORE, AFTER, "--json", "--seed", seed).stdout for seed in (3, 3, 4))
    assert first == again != other


def test_markdown_escapes_what_could_be_markup(db):
    with connect(db) as con:
        con.execute("UPDATE gold_case SET query = '<b>@team</b> [x](y) | `z`' WHERE case_id = 'a|b'")
    lines = run("--db", db, BEFORE, AFTER, "--markdown").stdout.splitlines()
    assert lines[0].startswith("## Comparison of run main")
    assert any(line.startswith("> **Warning:** 2 variables changed") for line in lines)
    (row,) = [line for line in lines if line.startswith("| a&#124;b |")]
    assert row.endswith("| &#60;b&#62;@\u200bteam&#60;/b&#62; &#91;x&#93;(y) &#124; &#96;z&#96; |")
    tables = [line for line in lines if line.startswith("|")]
    columns = [line.count("|") for line in tables]
    assert all(3 <= count <= 9 for count in columns)
    assert run("--db", db, BEFORE, AFTER, "--markdown").stderr == ""


def test_markdown_of_many_changes_fits_into_a_comment(tmp_path):
    path = tmp_path / "many.duckdb"
    with connect(path, create=True) as con:
        con.execute("BEGIN")
        put_pairs(con, {f"case {number:03}": (LOW, PASS) for number in range(230)})
        con.execute("COMMIT")
    printed = run("--db", path, BEFORE, AFTER, "--markdown").stdout
    assert len(re.findall(r"^\| case \d", printed, re.MULTILINE)) == 200
    assert "… and 30 rows more." in printed
    assert len(printed) < 65_536


def test_one_file_may_stand_on_both_sides(db):
    found = json.loads(run("--db", db, "--against", db, BEFORE, AFTER, "--json").stdout)
    assert found["labels"] == json.loads(run("--db", db, BEFORE, AFTER, "--json").stdout)["labels"]


def test_two_databases(db, tmp_path):
    other = tmp_path / "other.duckdb"
    with connect(other, create=True) as con:
        put_run(con)
        put_cases(con, *PAIRS)
        put_side(con, "elsewhere", dict.fromkeys(PAIRS, PASS), first=1)
        put_side(con, BEFORE, dict.fromkeys(PAIRS, CUT), first=50)
    named = json.loads(run("--db", db, "--against", other, BEFORE, "elsewhere", "--json").stdout)
    assert {case["after"]["label"] for case in named["cases"]} == {PASS}
    assert (named["after"]["database"], named["after"]["run"]) == (str(other), "elsewhere")
    one_name = json.loads(run("--db", db, "--against", other, BEFORE, "--json").stdout)
    assert {case["after"]["label"] for case in one_name["cases"]} == {CUT}
    whole = json.loads(run("--db", db, "--against", other, "--json").stdout)
    assert {case["before"]["requests"] for case in whole["cases"]} == {2}


def test_different_cases_need_to_be_allowed(db):
    with connect(db) as con:
        put_cases(con, "z")
        put_side(con, AFTER, {"z": PASS}, first=900)
    assert "1 (z) only in 'next'" in complaint("--db", db, BEFORE, AFTER)
    found = run("--db", db, BEFORE, AFTER, "--allow-different-cases")
    assert "Cases on one side only" in found.stdout
    assert "z     after" in found.stdout.splitlines()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        pytest.param([], "found no run; two were wanted, or two databases (--against); known are pipeline: next, main", id="no run"),
        pytest.param([BEFORE], "found one run; two were wanted", id="one run"),
        pytest.param([BEFORE, "nxt"], "no run 'nxt'; known are pipeline: next, main, fresh; labelling: 20260101T000000Z-aa; did you mean 'next'?", id="a slip"),
        pytest.param([BEFORE, "fresh"], "run: ragfault label --db DB", id="not labelled"),
        pytest.param([BEFORE, AFTER, "--expect", "pased increases"], "did you mean 'passed'?", id="a hypothesis of nothing"),
        pytest.param([BEFORE, AFTER, "--json", "--markdown"], "found --json and --markdown; one of them was wanted", id="two formats"),
        pytest.param([BEFORE, AFTER, "--by", "colour"], "'colour' is not one of", id="no slice"),
        pytest.param([BEFORE, AFTER, "--against", "nowhere.duckdb"], "nowhere.duckdb: no such database", id="no database"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_told_in_one_line(db, args, says):
    with connect(db) as con:
        put_request(con, 990, run_id="fresh")
    assert says in complaint("--db", db, *args)


def test_nothing_is_written(db):
    before = db.read_bytes()
    run("--db", db, BEFORE, AFTER)
    assert db.read_bytes() == before


def test_the_configuration_chooses_intervals_and_margin(db, tmp_path):
    (tmp_path / "ragfault.toml").write_text("[comparing]\ninterval = 'percentile'\nmargin = 0.9\n", encoding="utf-8")
    found = json.loads(run("--db", db, BEFORE, AFTER, "--json", "--expect", "passed unchanged").stdout)
    assert found["hypotheses"][0]["answer"] == "yes"
    passed = found["differences"][0]
    assert (passed["low"], passed["high"]) == (pytest.approx(-0.4), pytest.approx(0.8))


@pytest.mark.parametrize(
    ("interval", "says"),
    [pytest.param("bca", "paired bootstrap over cases, BCa", id="bca"), pytest.param("best", "Student's t", id="best")],
)
def test_the_interval_that_was_used_is_named(db, tmp_path, interval, says):
    (tmp_path / "c.toml").write_text(f'[comparing]\ninterval = "{interval}"\n', encoding="utf-8")
    for form in ([], ["--markdown"]):
        assert says in run("--db", db, BEFORE, AFTER, "--config", tmp_path / "c.toml", *form).stdout.splitlines()[-1]


def test_a_run_that_is_compared_with_itself_is_a_warning(db):
    assert f"run '{BEFORE}' is compared with itself" in run("--db", db, BEFORE, BEFORE).stderr
    assert "with itself" not in run("--db", db, BEFORE, AFTER).stderr
