"""Conditions on an answer that contradict each other."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from otel_ragfault.judging import check_answer
from otel_ragfault.model import AnswerCheck
from otel_ragfault.model.conditions import impossible


def fields(**check):
    return [field for field, _ in impossible(AnswerCheck.model_validate(check))]


@pytest.mark.parametrize(
    ("check", "found"),
    [
        pytest.param({"must_contain": "8 hours", "must_not_contain": "8 hours"}, ["must_not_contain[0]"], id="same"),
        pytest.param(
            {"must_contain": ["x", "Eight\u00a0Hours"], "must_not_contain": ["y", "eight hours"]},
            ["must_not_contain[1]"],
            id="same but for typography and case",
        ),
        pytest.param({"must_contain": "8 hours", "must_not_contain": "hours"}, ["must_not_contain[0]"], id="a part"),
        pytest.param({"must_contain": "hours", "must_not_contain": "8 hours"}, [], id="the shorter one is wanted"),
        pytest.param({"must_contain": "18 hours", "must_not_contain": "8 hours"}, [], id="another number"),
        pytest.param({"must_contain": ",8", "must_not_contain": "8"}, [], id="up to what stands around"),
        pytest.param({"equals": "8 hours.", "must_not_contain": "HOURS"}, ["must_not_contain[0]"], id="equals, forbidden"),
        pytest.param({"equals": "8 hours", "must_contain": "days"}, ["must_contain[0]"], id="equals, without what is wanted"),
        pytest.param({"equals": "8 hours", "must_contain": "(8 hours)."}, [], id="equals, punctuation around"),
        pytest.param({"equals": "8 hours", "number": 10}, ["number"], id="equals, another number"),
        pytest.param({"equals": "[8]", "number": 8}, [], id="equals, number in brackets"),
        pytest.param({"equals": "8 hours", "number": 8, "must_contain": "8"}, [], id="all at once"),
        pytest.param({}, [], id="nothing"),
    ],
)  # fmt: skip
def test_what_no_answer_can_meet_is_named(check, found):
    assert fields(**check) == found


ALPHABET = "8 ,.a(-0"


@st.composite
def met(draw):
    """An answer and conditions that it may well meet: parts of it are wanted, and it is itself but for what surrounds it."""
    answer = draw(st.text(ALPHABET, min_size=1, max_size=9).filter(str.strip))
    start = draw(st.integers(0, len(answer) - 1))
    wanted = answer[start : draw(st.integers(start + 1, len(answer)))]
    equals = draw(st.none() | st.sampled_from([answer, answer.strip(" ,.("), f"({answer}."]))
    unwanted = draw(st.text(ALPHABET, min_size=1, max_size=3))
    assume(wanted.strip() and unwanted.strip() and (equals is None or equals.strip()))
    return answer, AnswerCheck(must_contain=(wanted,), must_not_contain=(unwanted,), equals=equals)


@given(met())
@settings(max_examples=300)
def test_an_answer_that_meets_a_check_proves_that_it_is_possible(pair):
    answer, check = pair
    assume(check_answer(answer, check).value)
    assert list(impossible(check)) == []
