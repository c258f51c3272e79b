"""Runs and cases of a notebook: what they hold, which requests they are, and that the file stays free for others."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from opentelemetry.sdk.trace import TracerProvider

import otel_ragfault as rag
from otel_ragfault import Run
from otel_ragfault.cli.measures import measures
from otel_ragfault.errors import DatabaseError, InputError, NothingJoinedError
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.landing import DuckDBSpanExporter
from otel_ragfault.model import Config
from otel_ragfault.store import connect

LABELS = {
    "long-haul-cabin": "retrieval.below_k",
    "business-10h": "generation.wrong_answer",
    "mileage-rate": "source.not_indexed",
    "lie-flat-seat": "retrieval.no_overlap",
    "taxi-receipt": "assembly.cut",
    "zurich-hotel": "decision.answered_unanswerable",
    "gym-fee": "pass.correct_refusal",
    "meal-allowance": "pass",
}


def test_a_run_has_a_label_for_each_request(run):
    assert dict(zip(run.labels["case_id"], run.labels["label"], strict=True)) == LABELS
    assert [case.case_id for case in run.cases] == list(LABELS)
    assert sum(run.buckets["share"]) == pytest.approx(1)
    assert len(run) == 8
    assert repr(run) == "<Run travel_policy.duckdb: 8 labelled requests>"


def test_a_case_shows_what_its_label_rests_on(run):
    case = run["taxi-receipt"]
    assert (case.label, case.boundary, case.outcome, case.passed) == ("assembly.cut", "assembly", "wrong", False)
    assert case.prompt == ["c06"]
    assert case.answer == "Every taxi bill above 15 euros needs a printed receipt."
    assert case.ranking.rows()[:2] == [
        {
            "rank": 1,
            "id": "c06",
            "score": pytest.approx(6.053, abs=1e-3),
            "gold": True,
            "in_prompt": True,
            "cited": True,
        },
        {
            "rank": 2,
            "id": "c05",
            "score": pytest.approx(3.409, abs=1e-3),
            "gold": True,
            "in_prompt": False,
            "cited": False,
        },
    ]
    assert case.advice.try_first == "The context budget or the packing rule."
    assert ("answer", False, "rule") in zip(
        case.verdicts["subject"], case.verdicts["value"], case.verdicts["source"], strict=True
    )
    assert str(case).startswith("taxi-receipt  run original")
    assert run[case.request_id].case_id == "taxi-receipt"
    assert repr(case) == "<Case taxi-receipt: assembly.cut, wrong>"


def test_a_case_that_is_not_there_is_named_with_what_was_probably_meant(run):
    with pytest.raises(KeyError, match=r"found case 'taxi-receipts'.*did you mean 'taxi-receipt'"):
        run["taxi-receipts"]


def test_a_labelling_keeps_its_labels_when_another_follows(db):
    first = Run.known(db)
    assert first["kind"] == ["pipeline", "labelling"]
    older = first.rows()[-1]["run"]
    with connect(db) as con:
        con.execute("UPDATE request SET k = 3 WHERE case_id = 'long-haul-cabin'")
        newer = label_requests(con, Config()).run_id
    newest = Run.open(db)["long-haul-cabin"]
    assert (newest.label, Run.open(db, run=newer)["long-haul-cabin"].label) == ("assembly.cut", "assembly.cut")
    kept = Run.open(db, run=f"labelling:{older}")["long-haul-cabin"]
    assert (kept.label, kept.boundary) == ("retrieval.below_k", "retrieval")
    assert kept.advice.try_first.startswith("Reranking")
    assert "ranked beyond k" in str(kept)
    assert "label    : retrieval.below_k" in str(kept)


def test_a_run_of_the_pipeline_is_its_requests_only(demo):
    run = Run.open(demo.experiments_db, run="k=3 budget=50")
    assert [(case.case_id, case.label) for case in run.cases] == [("long-haul-cabin", "assembly.cut")]
    assert set(run.measures(k=3)["requests"]) == {1}
    assert set(Run.open(demo.experiments_db).measures(by="all", k=3)["requests"]) == {4}


def test_measures_are_those_of_the_command(run, demo):
    told = CliRunner().invoke(measures, ["--db", str(demo.db), "--k", "2,3", "--by", "tag", "--json"])

    def placed(rows):
        return {(row["group"], row["measure"], row["k"]): row for row in rows}

    assert placed(run.measures(by="tag", k=(2, 3))) == placed(json.loads(told.stdout)["rows"])


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        pytest.param(lambda run, db: Run.open(db.parent / "none"), DatabaseError, "no such database", id="no file"),
        pytest.param(lambda run, db: Run.open(db, run="x"), InputError, "no run 'x'; known are", id="no run"),
        pytest.param(lambda run, db: run.measures(by="tags"), InputError, "did you mean 'tag'", id="no dimension"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(run, demo, call, error, said):
    with pytest.raises(error, match=said) as refused:
        call(run, demo.db)
    assert "\n" not in str(refused.value)


def test_a_database_without_labels_says_what_to_run(tmp_path):
    connect(tmp_path / "empty.duckdb", create=True).close()
    with pytest.raises(NothingJoinedError, match="labelled requests were wanted; run: ragfault label"):
        Run.open(tmp_path / "empty.duckdb")


def test_an_open_connection_serves_as_well(demo):
    with connect(demo.db, read_only=True) as con:
        assert Run.open(con)["gym-fee"].passed
        assert con.execute("SELECT 1").fetchone() == (1,)


def test_a_run_does_not_hold_the_database(run, db):
    opened = Run.open(db)
    opened["gym-fee"].card  # noqa: B018 - it is read
    with connect(db, wait=0.0) as con:
        con.execute("DELETE FROM label WHERE case_id = 'gym-fee'")
    assert len(Run.open(db)) == 7
    assert len(opened) == 8, "what was read is kept"


def test_spans_that_wait_in_the_spool_are_loaded_and_built_first(db):
    provider = TracerProvider()
    rag.configure(provider=provider, exporter=DuckDBSpanExporter(db, load_every=None), content=True, batch=False)
    try:
        with rag.request(case_id="late"), rag.generation(model="m"):
            pass
    finally:
        provider.shutdown()
        rag.set_capture()
    Run.open(db)
    with connect(db, read_only=True) as con:
        assert con.execute("SELECT count(*) FROM request WHERE case_id = 'late'").fetchone() == (1,)


def test_the_package_offers_it_without_loading_the_database_for_those_who_only_instrument(tmp_path):
    code = (
        "import sys, otel_ragfault; otel_ragfault.request; assert 'duckdb' not in sys.modules; "
        "otel_ragfault.Run; assert 'duckdb' in sys.modules; assert 'pandas' not in sys.modules"
    )
    found = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ,
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_a_run_can_be_gone_through_and_asked_what_it_has(run):
    assert [case.case_id for case in run] == [case.case_id for case in list(run)] == list(LABELS)
    assert "taxi-receipt" in run
    assert run["taxi-receipt"].request_id in run
    assert run.cases[0] in run
    assert "taxi" not in run
    assert 0 not in run
    assert None not in run


@pytest.mark.parametrize(
    ("key", "says"),
    [
        pytest.param("taxi-reciept", "found case 'taxi-reciept', which the run does not have; did you mean", id="near"),
        pytest.param("zzz", "known are long-haul-cabin, business-10h", id="far"),
        pytest.param(0, "cases by their place are in .cases", id="a place"),
        pytest.param(slice(2), "cases by their place are in .cases", id="a slice"),
        pytest.param(None, "found case null", id="none"),
    ],
)
def test_what_a_run_does_not_have_is_a_key_error_that_says_what_there_is(run, key, says):
    with pytest.raises(KeyError) as caught:
        run[key]
    assert says in str(caught.value)
