"""``ragfault probe`` as people and scripts call it."""

import json
import shutil

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from otel_ragfault.demo import GENERATOR, run_demo
from paths import REPOSITORY

from .conftest import named


@pytest.fixture
def run(db, monkeypatch, tmp_path):
    """A function that runs ``ragfault probe`` on the database."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments, on=db, code=0):
        found = CliRunner(env={"COLUMNS": "200"}).invoke(program, ["probe", "--db", str(on), *arguments])
        assert found.exit_code == code, found.output
        return found

    return call


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return run_demo(tmp_path_factory.mktemp("demo")).db


def test_the_three_probes_of_the_eight_cases_say_that_the_order_decides(run, demo, tmp_path):
    db = shutil.copy(demo, tmp_path / "copy.duckdb")
    found = run(
        "--generator", str(REPOSITORY / GENERATOR), "--case", "business-10h", "--probes", "original,gold_only,gold_first",
        on=db,
    )  # fmt: skip
    lines = found.stdout.splitlines()
    assert lines[0] == "business-10h  generation.wrong_answer -> order_sensitive"
    assert [line.split() for line in lines[1:4]] == [
        ["original", "fails", "c01", "c08"],
        ["gold_only", "passes", "c08"],
        ["gold_first", "passes", "c08", "c01"],
    ]
    assert "because original fails, gold_only passes, gold_first passes" in found.stdout
    assert lines[-1].startswith("0 runs; 3 known from before"), "the demonstration ran the same probes"


def test_json_is_the_whole_report(run):
    found = run(
        "--generator", named("first_chunk"), "--case", "flight", "--probes", "original,gold_only,gold_last", "--json"
    )
    told = json.loads(found.stdout)
    assert (told["cases"], told["run"], told["known"], told["failures"], told["dry_run"]) == (1, 2, 0, 0, False)
    (result,) = told["results"]
    assert (result["case_id"], result["label"], result["refined"]) == (
        "flight",
        "generation.wrong_answer",
        "order_or_distractors",
    )
    assert [(one["intervention"], one["majority"], one["chunks"]) for one in result["probes"]] == [
        ("original", False, ["c1", "c2"]),
        ("gold_only", True, ["c2"]),
    ]
    assert told["skipped"] == [
        {"case_id": "flight", "intervention": "gold_last", "reason": "the required passages stand last already"}
    ]
    assert set(told["unjustified"]) == {"cases", "of", "share", "low", "high"}


def test_a_dry_run_lists_what_would_be_run(run):
    found = run(
        "--generator",
        named("never"),
        "--case",
        "flight",
        "--probes",
        "gold_first,distractors",
        "--dry-run",
        "--repeats",
        "2",
    )
    assert found.stdout.splitlines()[0] == "flight  gold_first  c2 c1  (c2 moved first)"
    assert found.stdout.splitlines()[-1] == "8 runs would be made, 0 are known from before"


def test_what_does_not_apply_is_told_once_for_all_cases(run):
    found = run(
        "--generator",
        named("never"),
        "--case",
        "gym",
        "--case",
        "flight",
        "--probes",
        "original,gold_only,gold_first,gold_middle",
    )
    notes = [line for line in found.stderr.splitlines() if line.startswith("note: ")]
    assert "note: left out for gym, because gold requires no evidence: gold_only, gold_first, gold_middle" in notes
    assert len(notes) == 2


def test_settings_come_from_the_configuration_and_flags_win(run, tmp_path):
    (tmp_path / "ragfault.toml").write_text(
        f'[probing]\ngenerator = "{named("first_chunk")}"\nrepeats = 2\nconcurrency = 1\ndistractors = [3]\n'
    )
    report = json.loads(run("--case", "flight", "--probes", "distractors", "--json", "--dry-run").stdout)
    assert [(one["step"], one["repeat"]) for one in report["planned"]] == [("+3", 1), ("+3", 2)]
    report = json.loads(
        run(
            "--case",
            "flight",
            "--probes",
            "distractors",
            "--json",
            "--dry-run",
            "--repeats",
            "1",
            "--distractors",
            "1,2",
        ).stdout
    )
    assert [(one["step"], one["repeat"]) for one in report["planned"]] == [("+1", 1), ("+2", 1)]


def test_the_list_of_probes_needs_nothing_else():
    found = CliRunner(env={"COLUMNS": "200"}).invoke(program, ["probe", "--list"])
    assert found.exit_code == 0
    assert "gold_only" in found.stdout
    assert "hold_claims" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--case", "flight"], "no generator is named"),
        (["--generator", "python gen.py", "--case", "flight"], "found 'python gen.py'"),
        (["--generator", "no_such_module:f", "--case", "flight"], "No module named"),
        (["--generator", "command:no-such-program", "--case", "flight"], "a program that can be run"),
        (["--generator", named("never"), "--probes", "gold_fist"], "did you mean 'gold_first'"),
        (["--generator", named("never"), "--case", "nowhere"], "--case nowhere"),
        (["--generator", named("never"), "--label", "source.stale"], "no case has a label that was asked for"),
        (["--generator", named("never"), "--rate", "0"], "--rate"),
        (["--generator", named("never"), "--judge-model", "m", "--judge-base-url", "nowhere"], "nowhere"),
    ],
    ids=["no generator", "a bare command", "no module", "no program", "no probe", "no case", "no label", "no rate", "no address"],
)  # fmt: skip
def test_wrong_input_is_one_line(run, arguments, says):
    found = run(*arguments, code=2)
    assert says in found.stderr
    assert found.stderr.count("\n") == 1
    assert found.stdout == ""


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "JSON"])
def test_a_generator_that_never_answers_is_one_line_and_exit_code_2(run, tmp_path, form):
    (tmp_path / "gone.py").write_text("import sys\ndef answer(question, chunks): sys.exit(3)\n")
    given = ["--generator", "gone.py:answer", "--case", "flight", "--probes", "original,gold_only", *form]
    for _ in range(2):
        found = run(*given, code=2)
        assert found.stderr.splitlines()[-1] == (
            "ragfault: gone.py:answer: none of 2 runs gave an answer (it called sys.exit(3)); "
            "a generator that answers was wanted; correct it and run this again"
        )
    assert run(*given, "--dry-run").exit_code == 0


def test_runs_without_an_answer_among_others_are_noted(run):
    given = ["--generator", named("raises"), "--case", "flight", "--probes", "original,gold_only"]
    assert "note: 1 run of 2 gave no answer; the next call makes them again\n" in run(*given).stderr
    assert "note: 1 run of 1 gave no answer; the next call makes them again\n" in run(*given).stderr


def test_a_database_without_labels_says_what_is_missing(run, tmp_path):
    from otel_ragfault.store import connect

    connect(tmp_path / "empty.duckdb", create=True).close()
    found = run("--generator", named("never"), on=tmp_path / "empty.duckdb", code=2)
    assert "run: ragfault label" in found.stderr


def test_named_queries_tell_results_and_readings(run, db):
    run("--generator", named("first_chunk"), "--case", "flight", "--probes", "original,gold_only,gold_first")
    ask = lambda *arguments: json.loads(  # noqa: E731
        CliRunner().invoke(program, ["query", "--db", str(db), "--json", *arguments]).stdout
    )
    assert [(row["intervention"], row["majority"]) for row in ask("probe_results")] == [
        ("original", False),
        ("gold_only", True),
        ("gold_first", True),
    ]
    (row,) = ask("probe_readings")
    assert (row["reading"], row["refines"], row["cases"], row["examples"]) == (
        "order_sensitive",
        "generation.wrong_answer",
        1,
        ["flight"],
    )
