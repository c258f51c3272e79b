"""Answers are cut into claims, sentence by sentence; nothing is lost."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.verdict_lines import four_requests
from otel_ragfault.jobs.claims import extract_claims
from otel_ragfault.judging.verdicts import claims_of


@pytest.fixture
def con(memory_factory):
    return four_requests(memory_factory())


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        pytest.param("It is red. It is big.", [("It is red.", True), ("It is big.", True)], id="sentences"),
        pytest.param(
            "It is red. [1][2] And big [3].",
            [("It is red. [1][2]", True), ("And big [3].", True)],
            id="marks behind the end",
        ),
        pytest.param(
            "Flights, e.g. to Rome, take 3.5 hours.",
            [("Flights, e.g. to Rome, take 3.5 hours.", True)],
            id="points inside",
        ),
        pytest.param(
            "Ask Dr. Who. Is it red?", [("Ask Dr. Who.", True), ("Is it red?", False)], id="a title, and a question"
        ),
        pytest.param(
            "# Rules\nThese hold:\n- one day\n2) two days",
            [("Rules", False), ("These hold:", False), ("one day", True), ("two days", True)],
            id="a list",
        ),
        pytest.param("赤い。大きい【1】。", [("赤い。", True), ("大きい【1】。", True)], id="without blanks"),
        pytest.param("Yes.", [("Yes.", False)], id="one word"),
        pytest.param(" \n[1]\n", [], id="nothing said"),
    ],
)
def test_claims_of_an_answer(answer, claims):
    assert [(claim.text, claim.needs_support) for claim in claims_of(answer)] == claims


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab A.?!:[1]【】。\n-#)\"' \u2028\r", max_size=60))
def test_claims_stand_where_they_say_in_order_and_lose_no_word(answer):
    claims = claims_of(answer)
    ends = 0
    for number, claim in enumerate(claims, 1):
        assert claim.claim_id == f"s{number}"
        assert answer[claim.first : claim.last] == claim.text == claim.text.strip()
        assert claim.first >= ends
        ends = claim.last
    covered = set().union(*(range(claim.first, claim.last) for claim in claims))
    lost = "".join(character for place, character in enumerate(answer) if place not in covered)
    assert not {"a", "b", "A"} & set(re.sub(r"\[[^\]\n]*\]|【[^】\n]*】", "", lost)), "marks alone are no claim"


def test_claims_are_cut_again_when_the_answer_changes(con):
    assert extract_claims(con) == 4
    assert extract_claims(con) == 0
    con.execute("UPDATE request SET answer = 'It is red. It is big.' WHERE case_id = 'a'")
    assert extract_claims(con) == 2
    found = con.execute("SELECT count(*) FROM answer_claim WHERE text IN ('It is red.', 'It is big.')").fetchall()
    assert found == [(4,)]
    assert con.execute("SELECT count(*) FROM answer_claim").fetchall() == [(6,)]
    con.execute("UPDATE request SET request_id = uuid() WHERE case_id = 'a'")
    assert extract_claims(con) == 2
    assert con.execute("SELECT count(*) FROM answer_claim").fetchall() == [(6,)]
