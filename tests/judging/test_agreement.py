"""Agreement of judges with people and with themselves."""

import math
import uuid
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

NOON = datetime(2026, 1, 1, 12)  # noqa: DTZ001 - times are UTC without a zone in the database


@pytest.fixture
def con(memory):
    for table in ("verdict", "judging_policy"):
        memory.execute(f"DELETE FROM {table}")
    return memory


def put(con, number, value, *, source="model", judge="m", repeat=1, subject="answer", prompt="1", seconds=0):
    con.execute(
        "INSERT INTO verdict (request_id, subject, value, source, judge, repeat_no, prompt_version, config, judged_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, 'c', ?)",
        [
            uuid.UUID(int=number),
            subject,
            value,
            source,
            judge,
            repeat,
            prompt if source == "model" else None,
            NOON + timedelta(seconds=seconds),
        ],
    )


def put_pairs(con, pairs):
    for number, (human, judged) in enumerate(pairs, 1):
        put(con, number, human, source="human", judge="ann")
        put(con, number, judged)


def agreement(con, columns="compared, agreed, agreement, kappa, below_floor"):
    return con.execute(f"SELECT {columns} FROM judge_agreement").fetchall()


def pairs_of(both, human_only, judge_only, neither):
    return (
        [(True, True)] * both + [(True, False)] * human_only + [(False, True)] * judge_only + [(False, False)] * neither
    )


@pytest.mark.parametrize(
    ("table", "raw", "kappa"),
    [
        pytest.param((15, 5, 10, 70), 0.85, 0.57, id="Viera and Garrett 2005, Understanding interobserver agreement"),
        pytest.param((20, 5, 10, 15), 0.70, 0.40, id="the 50 grant proposals of many textbooks"),
        pytest.param((45, 15, 25, 15), 0.60, 0.13, id="equal raw agreement, skewed one way"),
        pytest.param((25, 35, 5, 35), 0.60, 0.26, id="equal raw agreement, skewed the other way"),
    ],
)
def test_kappa_of_worked_examples(con, table, raw, kappa):
    put_pairs(con, pairs_of(*table))
    ((_, _, agreed, found, _),) = agreement(con)
    assert (agreed, round(found, 2)) == (raw, kappa)
    names = "true_true, true_false, false_true, false_false"
    assert agreement(con, names) == [table]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        pytest.param([(True, True)] * 3, (3, 3, 1.0, None, False), id="one class only: undefined"),
        pytest.param(
            [(True, True), (True, False)], (2, 1, 0.5, 0.0, True), id="one class of people only: no better than chance"
        ),
        pytest.param([(True, False), (False, True)], (2, 0, 0.0, -1.0, True), id="always against"),
        pytest.param([(True, None), (None, True)], (0, 0, None, None, None), id="nothing that both could tell"),
    ],
)
def test_edges_of_kappa(con, pairs, expected):
    put_pairs(con, pairs)
    assert agreement(con) == [expected]


@settings(max_examples=60, deadline=None)
@given(table=st.tuples(*[st.integers(0, 4)] * 4).filter(any))
def test_kappa_is_agreement_beyond_chance_and_neither_side_is_special(memory, table):
    found = []
    both, human_only, judge_only, neither = table
    for cells in (table, (both, judge_only, human_only, neither), (neither, human_only, judge_only, both)):
        memory.execute("DELETE FROM verdict")
        put_pairs(memory, pairs_of(*cells))
        found.append(agreement(memory, "agreement, kappa")[0])
    total = sum(table)
    observed = (both + neither) / total
    chance = ((both + human_only) * (both + judge_only) + (judge_only + neither) * (human_only + neither)) / total**2
    for raw, kappa in found:
        assert math.isclose(raw, observed)
        if chance == 1:
            assert kappa is None
        else:
            assert math.isclose(kappa, (observed - chance) / (1 - chance), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("floor", "kappa_floor", "flagged"),
    [
        pytest.param(0.85, None, False, id="at the floor"),
        pytest.param(0.86, None, True, id="below the floor"),
        pytest.param(0.5, 0.6, True, id="below the floor of kappa"),
        pytest.param(0.5, 0.5, False, id="above both"),
    ],
)
def test_a_judge_below_the_floor_of_the_policy_is_flagged(con, floor, kappa_floor, flagged):
    con.execute("INSERT INTO judging_policy VALUES (1, 2, 3, 4, ?, ?, FALSE)", [floor, kappa_floor])
    put_pairs(con, pairs_of(15, 5, 10, 70))
    assert agreement(con, "below_floor") == [(flagged,)]


def test_the_majority_of_repeats_is_compared_and_the_newest_of_a_repeat_counts(con):
    put(con, 1, True, source="human", judge="ann")
    for repeat, value in [(1, False), (2, True), (3, False)]:
        put(con, 1, value, repeat=repeat)
    put(con, 1, True, repeat=3, seconds=5)
    assert agreement(con, "compared, agreed") == [(1, 1)]


def test_judges_subjects_and_prompt_versions_are_rated_apart(con):
    put_pairs(con, [(True, True), (False, False)])
    put(con, 1, False, judge="n", prompt="2")
    put(con, 1, True, subject="grounded")
    found = agreement(con, "judge, prompt_version, subject, compared, agreement")
    assert found == [("m", "1", "answer", 2, 1.0), ("m", "1", "grounded", 0, None), ("n", "2", "answer", 1, 0.0)]


def test_our_own_rules_are_rated_too(con):
    put(con, 1, True, source="human", judge="ann")
    put(con, 1, False, source="rule", judge=None)
    assert agreement(con, "source, judge, compared, agreed") == [("rule", None, 1, 0)]


def test_repeats_agree_by_pairs(con):
    for repeat, value in enumerate([True, True, False, None], 1):
        put(con, 1, value, repeat=repeat)
    for repeat in (1, 2):
        put(con, 2, False, repeat=repeat)
    put(con, 3, True)
    found = con.execute("SELECT judge, subject, questions, unanimous, pairs, agreed, agreement FROM repeat_agreement")
    assert found.fetchall() == [("m", "answer", 2, 1, 4, 2, 0.5)]
