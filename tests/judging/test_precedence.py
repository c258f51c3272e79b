"""Whose verdict counts: an independent walk over generated verdicts, the view, and the labelling say the same."""

import uuid
from collections import Counter
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otel_ragfault.sql import read_query

NOON = datetime(2026, 1, 1, 12)  # noqa: DTZ001 - times are UTC without a zone in the database
SOURCES = ("human", "rule", "code", "model")
FACTS = {"answer": "correct", "refusal": "refused", "clarification": "clarified", "grounded": "grounded"}
REQUEST = uuid.UUID(int=1)

rows = st.lists(
    st.fixed_dictionaries(
        {
            "subject": st.sampled_from(sorted(FACTS)),
            "value": st.sampled_from([True, False, None]),
            "source": st.sampled_from(SOURCES),
            "judge": st.sampled_from(["ann", "bob", "cleo"]),
            "repeat_no": st.integers(1, 3),
        }
    ),
    max_size=14,
)
orders = st.permutations(SOURCES)


def store(con, verdicts, order):
    con.execute("DELETE FROM verdict")
    con.execute("DELETE FROM judging_policy")
    if order is not None:
        places = [order.index(source) + 1 for source in SOURCES]
        con.execute("INSERT INTO judging_policy VALUES (?, ?, ?, ?, 0.8, NULL, FALSE)", places)
    for number, verdict in enumerate(verdicts):
        judge = None if verdict["source"] == "rule" else verdict["judge"]
        repeat = 1 if verdict["source"] == "rule" else verdict["repeat_no"]
        con.execute(
            "INSERT INTO verdict (request_id, subject, value, source, judge, repeat_no, config, judged_at) "
            "VALUES (?, ?, ?, ?, ?, ?, 'c', ?)",
            [
                REQUEST,
                verdict["subject"],
                verdict["value"],
                verdict["source"],
                judge,
                repeat,
                NOON + timedelta(seconds=number),
            ],
        )


def majority(values):
    counts = Counter(values)
    return None if counts[True] == counts[False] else counts[True] > counts[False]


def expected(verdicts, order):
    """What counts of each subject, by the words of the design and not by its SQL."""
    newest = {}
    for verdict in verdicts:
        is_rule = verdict["source"] == "rule"
        who = ("", 1) if is_rule else (verdict["judge"], verdict["repeat_no"])
        newest[verdict["subject"], verdict["source"], *who] = verdict["value"]
    counted = {}
    for subject in {key[0] for key in newest}:
        counted[subject] = None
        for source in order:
            judges = {key[2] for key in newest if key[:2] == (subject, source)}
            said = [
                majority([value for key, value in newest.items() if key[:3] == (subject, source, judge)])
                for judge in judges
            ]
            if (value := majority(said)) is not None:
                counted[subject] = value
                break
    return counted


@settings(max_examples=150, deadline=None)
@given(verdicts=rows, order=st.none() | orders)
def test_newest_of_each_repeat_then_majorities_then_the_order_of_trust(memory, verdicts, order):
    store(memory, verdicts, order)
    wanted = expected(verdicts, order or SOURCES)
    assert dict(memory.execute("SELECT subject, value FROM trusted_verdict").fetchall()) == wanted
    memory.execute("CREATE OR REPLACE TEMP VIEW judged AS FROM verdict")
    result = memory.execute(read_query("facts", "newest_verdict").body)
    names = [column[0] for column in result.description]
    facts = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    assert len(facts) == (1 if verdicts else 0)
    for fact in facts:
        assert {FACTS[subject]: value for subject, value in wanted.items()} == {
            name: fact[name] for name in FACTS.values() if name in {FACTS[subject] for subject in wanted}
        }


@pytest.mark.parametrize(
    ("order", "confirmed"),
    [
        pytest.param(None, True, id="people first"),
        pytest.param(("model", "human", "rule", "code"), False, id="models before people"),
    ],
)
def test_a_person_who_calls_it_right_denies_the_refusal_where_people_are_believed_first(memory, order, confirmed):
    verdict = {"subject": "answer", "value": True, "source": "human", "judge": "ann", "repeat_no": 1}
    store(memory, [verdict], order)
    memory.execute("CREATE OR REPLACE TEMP VIEW judged AS FROM verdict")
    ((found,),) = memory.execute(f"SELECT confirmed FROM ({read_query('facts', 'newest_verdict').body})").fetchall()
    assert found is confirmed


def test_what_sources_say_against_each_other_is_marked_and_the_reason_is_that_of_who_decided(memory):
    store(
        memory,
        [
            {"subject": "answer", "value": True, "source": "rule", "judge": None, "repeat_no": 1},
            {"subject": "answer", "value": False, "source": "human", "judge": "ann", "repeat_no": 1},
        ],
        None,
    )
    memory.execute("UPDATE verdict SET reason = source || ' says so'")
    assert memory.execute("SELECT value, source, reason, disputed FROM trusted_verdict").fetchall() == [
        (False, "human", "human says so", True)
    ]


def test_claims_and_citations_of_one_request_are_told_apart(memory):
    memory.execute("DELETE FROM verdict")
    memory.execute("DELETE FROM judging_policy")
    for target, claim, value in [("s1", None, True), ("s2", None, False), ("c1", "s1", True), ("c1", "s2", False)]:
        memory.execute(
            "INSERT INTO verdict (request_id, subject, target, claim_id, value, source, judge, config, judged_at) "
            "VALUES (?, ?, ?, ?, ?, 'model', 'm', 'c', ?)",
            [REQUEST, "claim_support" if claim is None else "citation", target, claim, value, NOON],
        )
    assert memory.execute("SELECT subject, target, claim_id, value FROM trusted_verdict ORDER BY ALL").fetchall() == [
        ("citation", "c1", "s1", True),
        ("citation", "c1", "s2", False),
        ("claim_support", "s1", None, True),
        ("claim_support", "s2", None, False),
    ]
