"""``ragfault measures`` and ``ragfault query measures``, as a user runs them."""

import json

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.program import program
from otel_ragfault.store import connect
from queries.world import put, put_case


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "rag.duckdb"
    with connect(path, create=True) as con:
        for number, ids in enumerate((["g", "x"], ["x", "y", "z", "g"], ["x"], None), start=1):
            put_case(con, f"case {number}", "g")
            put(con, number, f"case {number}", "x", ranked_ids=ids, run_id="night")
    return path


def run(*args, code=0, env=None):
    found = CliRunner().invoke(program, [str(arg) for arg in args], env=env)
    assert found.exit_code == code, found.output
    return found


def test_a_table_of_mean_interval_judged_cases_and_unjudged_share(db):
    found = run("measures", "--db", db, "--k", "2", "--measure", "hit", "--measure", "mrr")
    assert found.stdout == (
        "run    measure    mean  95% interval      cases  requests  no ranking  unjudged\n"
        "-----  -------  ------  ----------------  -----  --------  ----------  --------\n"
        "night  hit@2    0.3333  0.0000 to 1.0000      3         4           1     83.3%\n"
        "night  hit      0.6667  0.0000 to 1.0000      3         4           1     75.0%\n"
        "night  mrr@2    0.3333  0.0000 to 1.0000      3         4           1     83.3%\n"
        "night  mrr      0.4167  0.0000 to 1.0000      3         4           1     75.0%\n"
        "\n"
        "gain linear, discount log2, unjudged nonrelevant, order recorded, repeats drop, relevant_from 1\n"
        "intervals: bootstrap over cases, 1000 replicates, seed 1\n"
    )
    assert "some rankings hold only 1" in found.stderr


def test_json_tells_every_choice_and_the_seed_of_the_intervals(db):
    args = ("measures", "--db", db, "--by", "all", "--k", "1,3", "--seed", "7", "--gain", "exponential", "--json")
    printed = json.loads(run(*args).stdout)
    rows = printed.pop("rows")
    assert printed == {
        "by": "all",
        "gain": "exponential",
        "discount": "log2",
        "unjudged": "nonrelevant",
        "order": "recorded",
        "repeats": "drop",
        "relevant_from": 1,
        "seed": 7,
        "replicates": 1000,
        "confidence": 0.95,
        "method": "best",
    }
    assert {row["group"] for row in rows} == {"all"}
    (row,) = [row for row in rows if (row["measure"], row["k"]) == ("mrr", None)]
    assert {name: row[name] for name in ("mean", "cases", "requests", "without_ranking", "unjudged_share")} == {
        "mean": pytest.approx(1.25 / 3),
        "cases": 3,
        "requests": 4,
        "without_ranking": 1,
        "unjudged_share": 0.75,
    }
    assert json.loads(run(*args).stdout)["rows"] == rows


def test_choices_come_from_the_configuration_as_well(db, tmp_path):
    (tmp_path / "ragfault.toml").write_text('measure_cutoffs = [2]\nmeasure_unjudged = "leave_out"\n', encoding="utf-8")
    env = {"RAGFAULT_BOOTSTRAP_SEED": "5", "RAGFAULT_MEASURE_GAIN": "exponential"}
    printed = json.loads(run("measures", "--db", db, "--json", env=env).stdout)
    assert (printed["unjudged"], printed["gain"], printed["seed"]) == ("leave_out", "exponential", 5)
    assert {row["k"] for row in printed["rows"]} == {2, None}


def test_the_named_queries_take_the_same_choices(db):
    rows = json.loads(run("query", "--db", db, "measures", "--param", "by=all", "--param", "k=2", "--json").stdout)
    assert [(row["k"], row["mrr"]) for row in rows] == [(2, 1 / 3), (None, pytest.approx(1.25 / 3))]
    rows = json.loads(run("query", "--db", db, "request_measures", "--param", "unjudged=leave_out", "--json").stdout)
    assert {row["case_id"]: row["reciprocal_rank"] for row in rows if row["k"] is None} == {
        "case 1": 1,
        "case 2": 1,
        "case 3": 0,
        "case 4": None,
    }


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (["--k", "0"], "wanted positive whole numbers"),
        (["--by", "planet"], "'planet' is not one of"),
        (["--measure", "accuracy"], "'accuracy' is not one of"),
        (["--order", "random"], "'random' is not one of"),
        (["--seed", "-1"], "-1 is not in the range"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_is_no_choice_is_refused(db, args, wanted):
    assert wanted in run("measures", "--db", db, *args, code=2).stderr


def test_a_parameter_of_a_query_that_is_no_choice_is_one_line(db):
    found = run("query", "--db", db, "measures", "--param", "by=planet", code=2)
    assert found.stderr.count("\n") == 1
    assert "by: found planet, wanted all, run, tag" in found.stderr


def test_nothing_to_measure_is_one_line(tmp_path):
    connect(tmp_path / "empty.duckdb", create=True).close()
    found = run("measures", "--db", tmp_path / "empty.duckdb", code=2)
    assert found.stderr.count("\n") == 1
    assert "no labelled request belongs to a case with judgments" in found.stderr


def test_a_measure_may_be_named_with_its_rank_and_by_another_name(db):
    rows = json.loads(run("measures", "--db", db, "--measure", "recall@2", "--measure", "RR", "--json").stdout)["rows"]
    named = {(row["measure"], row["k"]) for row in rows}
    assert ("recall_groups", 2) in named
    assert named - {("recall_groups", 2)} == {("mrr", k) for k in (None, 1, 2, 3, 5, 10)}
