"""Answers that people rated, replayed through decorators, exporter, records, refusal detection and fault tree."""

from collections import Counter
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from otel_ragfault.store import connect

pytestmark = pytest.mark.realdata

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "clapnq_answers"


@pytest.fixture(scope="module")
def example():
    return import_module("examples.clapnq_answers.replay")


@pytest.fixture(scope="module")
def recorded(example, realdata):
    return example.read_recorded(realdata / "clapnq")


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    return tmp_path_factory.mktemp("clapnq") / "clapnq.duckdb"


@pytest.fixture(scope="module")
def printed(example, realdata, db):
    return example.run(realdata / "clapnq", db)


def test_every_answer_is_one_labelled_request(printed, recorded, db):
    with closing(connect(db, read_only=True)) as con:
        found = con.execute("SELECT case_id, request_run_id FROM current_label").fetchall()
    assert Counter(found) == Counter((answer["case_id"], answer["system"]) for answer in recorded.answers)


def test_decisions_agree_with_the_columns_of_the_data_set(printed, recorded, db):
    """What the data set says of answerability and of refusals decides the label, wherever its two files agree."""
    sure = {
        (answer["case_id"], answer["system"]): (
            recorded.cases[answer["case_id"]]["expect_refusal"],
            answer["auto"]["answerability_accuracy"].endswith("Negative"),
        )
        for answer in recorded.answers
        if recorded.cases[answer["case_id"]]["expect_refusal"] == (answer["answerability_in_eval"] == "UNANSWERABLE")
    }
    wanted = {
        (True, True): {"pass.correct_refusal"},
        (True, False): {"decision.answered_unanswerable"},
        (False, True): {"decision.refused_answerable"},
        (False, False): {"pass", "generation.wrong_answer"},
    }
    with closing(connect(db, read_only=True)) as con:
        labels = {
            (case, run): label
            for case, run, label in con.execute("SELECT case_id, request_run_id, label FROM current_label").fetchall()
        }
    differing = {key for key, says in sure.items() if labels[key] not in wanted[says]}
    assert len(sure) == 360
    assert len(differing) <= 2  # both are in the README, with the reason


def test_the_ten_disputed_questions_are_reported(example, printed, recorded):
    disputed = example.disputed_cases(recorded)
    assert len(disputed) == 10
    assert all(case in printed for case in disputed)


def test_readme_shows_what_is_printed(printed):
    assert f"```text\n{printed}\n```" in (EXAMPLE / "README.md").read_text(encoding="utf-8")


def test_a_database_that_exists_is_left_alone(example, printed, realdata, db, capsys):
    before = db.read_bytes()
    assert example.main(["--data", str(realdata / "clapnq"), "--db", str(db)]) == 2
    assert "exists; a new file was wanted" in capsys.readouterr().err
    assert db.read_bytes() == before
