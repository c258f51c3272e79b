"""What a replay tells of a setting is what running the pipeline with that setting leaves behind."""

import importlib.util
import json
from itertools import product

import pytest
from click.testing import CliRunner

from otel_ragfault.cli.whatif import whatif
from otel_ragfault.jobs.replaying import Grid, replay
from otel_ragfault.model import Config
from otel_ragfault.store import connect
from paths import TRAVEL_POLICY
from whatif.running import generating, labelled, prepare, record, replayed, run_of

KS, BUDGETS = (1, 2, 3, 5, 14), (20, 50, 80, 150, 400)
PIPELINE = TRAVEL_POLICY / "pipeline.py"


@pytest.fixture(scope="module")
def pipeline():
    spec = importlib.util.spec_from_file_location("travel_policy_run_again", PIPELINE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ask_all(pipeline, settings):
    for case, (k, budget, run_id) in product(pipeline.read_jsonl("cases.jsonl"), settings):
        pipeline.ask(case["query"], case["case_id"], run_id=run_id, k=k, budget=budget)


def database(pipeline, folder, name, settings):
    db = folder / f"{name}.duckdb"
    record(db, lambda: ask_all(pipeline, settings))
    prepare(db, TRAVEL_POLICY / "corpus.jsonl", TRAVEL_POLICY / "cases.jsonl", pipeline.SNAPSHOT)
    return db


@pytest.fixture(scope="module")
def recorded(pipeline, tmp_path_factory):
    """The eight cases as they were asked once, with k=2 and 50 words."""
    return database(pipeline, tmp_path_factory.mktemp("recorded"), "recorded", [(2, 50, "original")])


@pytest.fixture(scope="module")
def run_again(pipeline, tmp_path_factory):
    """The eight cases asked again with every setting of the grid."""
    settings = [(k, budget, run_of(k, budget)) for k, budget in product(KS, BUDGETS)]
    return labelled(database(pipeline, tmp_path_factory.mktemp("again"), "again", settings))


@pytest.fixture(scope="module")
def rows(recorded):
    closing_it, generation = generating(f"{PIPELINE}:answer_from")
    with closing_it, connect(recorded) as con:
        return replay(con, Config(), Grid(ks=KS, budgets=BUDGETS), generation=generation)


def test_prompt_label_and_outcome_are_those_of_running_the_pipeline_again(rows, run_again):
    assert len(run_again) == 8 * len(KS) * len(BUDGETS)
    assert replayed(rows) == run_again


def test_the_grid_shows_every_stage_that_can_lose_these_cases(rows):
    assert {row.label for row in rows} >= {
        "retrieval.below_k",
        "assembly.cut",
        "generation.wrong_answer",
        "decision.answered_unanswerable",
        "pass.correct_refusal",
        "pass",
    }


def test_without_a_generator_the_same_is_told_as_far_as_the_prompt(recorded, rows):
    with connect(recorded) as con:
        bare = replay(con, Config(), Grid(ks=KS, budgets=BUDGETS))
    assert [(row.prompt, row.complete) for row in bare] == [(row.prompt, row.complete) for row in rows]
    differing = {
        (one.label, one.needs_generator) for one, row in zip(bare, rows, strict=True) if one.label != row.label
    }
    assert differing == {("unknown.answer", True)}
    assert not any(row.needs_generator for row in rows)


def test_nothing_hypothetical_reaches_the_database(recorded, rows):
    with connect(recorded, read_only=True) as con:
        assert con.execute("SELECT count(*), count(DISTINCT request_id) FROM request").fetchall() == [(8, 8)]
        ((strangers,),) = con.execute(
            "SELECT count(*) FROM verdict WHERE request_id NOT IN (SELECT request_id FROM request)"
        ).fetchall()
        assert strangers == 0
        assert con.execute("SELECT count(*) FROM answer_claim ANTI JOIN request USING (request_id)").fetchall() == [
            (0,)
        ]


def test_the_four_rows_of_the_lab_come_from_the_command(recorded):
    tried = ["--case", "long-haul-cabin", "--k", "2,3,14", "--budget", "50,80,400"]
    generator = ["--generator", f"{PIPELINE}:answer_from"]
    found = CliRunner().invoke(whatif, ["--db", str(recorded), *tried, *generator, "--json"], catch_exceptions=False)
    rows = {(row["k"], row["budget"]): row for row in json.loads(found.stdout)["rows"]}
    assert [rows[setting]["label"] for setting in ((2, 50), (3, 50), (3, 80), (14, 400))] == [
        "retrieval.below_k",
        "assembly.cut",
        "generation.wrong_answer",
        "generation.wrong_answer",
    ]
    assert rows[3, 80]["prompt"] == ["c01", "c02", "c08"]
    assert rows[14, 400]["prompt"][:3] == ["c01", "c02", "c08"]
    assert len(rows[14, 400]["prompt"]) == 14
