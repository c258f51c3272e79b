"""What a generator answers to prompts that were never recorded is judged as what the pipeline answered."""

from pathlib import Path

import pytest

from otel_ragfault.jobs.replaying import Grid, replay
from otel_ragfault.model import Config
from whatif import users
from whatif.running import generating

USERS = Path(users.__file__)
TEXTS = {"x": "one two", "a": "three four", "b": "five"}


@pytest.fixture
def generated(con):
    """A function that replays with a generator of the users."""

    def run(name, grid, **options):
        closing_it, generation = generating(f"{USERS}:{name}")
        with closing_it:
            return replay(con, Config(), grid, generation=generation, **options)

    return run


def test_an_answer_to_a_changed_prompt_is_judged_by_the_rules(recorded, generated):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS)
    recorded_row, changed = generated("echo", Grid(ks=(1, 2)))
    assert (recorded_row.label, recorded_row.answer, recorded_row.outcome) == ("retrieval.below_k", None, "wrong")
    assert (changed.label, changed.outcome, changed.needs_generator) == ("pass", "correct", False)
    assert changed.answer == "yes: one two, three four"


def test_an_answer_that_is_wrong_is_a_generation_failure(recorded, generated):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS, case={"answer": {"must_contain": ["never"]}})
    (row,) = generated("echo", Grid(ks=(2,)))
    assert (row.label, row.outcome) == ("generation.wrong_answer", "wrong")


def test_citations_are_read_from_the_marks_of_an_answer(con, recorded, generated):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS)
    (row,) = generated("marked", Grid(ks=(2,)))
    assert (row.answer, row.outcome) == ("Say yes [1].", "correct")


def test_what_a_generator_records_of_itself_is_no_traffic(recorded, generated):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS)
    (row,) = generated("traced", Grid(ks=(2,)))
    assert row.answer == "yes: recorded False"


def test_an_equal_prompt_is_asked_for_once(recorded, generated, tmp_path, monkeypatch):
    monkeypatch.setenv(users.ASKED, str(tmp_path / "asked"))
    recorded(("x", "a", "b"), ("x",), k=1, complete=True, texts=TEXTS)
    rows = generated("echo", Grid(ks=(1, 2, 3), budgets=(2, 4, 9)))
    assert len(rows) == 9
    assert sorted((tmp_path / "asked").read_text().splitlines()) == ["x a", "x a b"]


def test_a_generator_that_fails_leaves_the_answer_unknown_and_says_why(recorded, generated):
    recorded(("x", "a"), ("x",), k=1, complete=True, texts=TEXTS)
    (row,) = generated("raising", Grid(ks=(2,)))
    assert (row.label, row.answer, row.needs_generator) == ("unknown.answer", None, True)
    assert "no model today" in row.not_known


def test_without_the_text_of_a_chunk_nobody_is_asked(recorded, generated, tmp_path, monkeypatch):
    monkeypatch.setenv(users.ASKED, str(tmp_path / "asked"))
    recorded(("x", "a"), ("x",), k=1, complete=True)
    (row,) = generated("echo", Grid(ks=(2,)))
    assert (row.prompt, row.needs_generator) == (["x", "a"], True)
    assert "the text of a chunk is not known" in row.not_known
    assert not (tmp_path / "asked").exists()


def test_a_prompt_that_stays_keeps_its_answer_and_what_people_said_of_it(con, recorded, generated):
    recorded(("a", "x"), ("a",), k=1, complete=True, texts=TEXTS, answer="no")
    con.execute("UPDATE request SET answer = 'no'")
    assert generated("echo", Grid(ks=(1,)))[0].label == "generation.wrong_answer"
    con.execute(
        "INSERT INTO verdict BY NAME SELECT request_id, 'answer' AS subject, TRUE AS value, 'human' AS source, "
        "'someone' AS judge, '' AS config, now()::TIMESTAMP AS judged_at FROM request"
    )
    rows = generated("echo", Grid(ks=(1, 2)))
    assert [(row.label, row.answer is None) for row in rows] == [("pass", True), ("pass", False)]
