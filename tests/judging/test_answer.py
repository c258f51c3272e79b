import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from otel_ragfault.judging import check_answer
from otel_ragfault.model import AnswerCheck


@pytest.mark.parametrize(
    ("answer", "check", "right"),
    [
        pytest.param("8 Hours.", {"must_contain": "8 hours"}, True, id="case"),
        pytest.param("8\u00a0\n hours", {"must_contain": "8 hours"}, True, id="white space"),
        pytest.param(
            "it\u2019s \u201cfull\u2011time\u201d",
            {"must_contain": 'it\'s "full-time"'},
            True,
            id="typographic quotes and dashes",
        ),
        pytest.param("\uff18 hours", {"must_contain": "8 hours"}, True, id="full width"),
        pytest.param("18 hours", {"must_contain": "8 hours"}, False, id="longer number before"),
        pytest.param("5.5 or 1,500", {"must_contain": "5"}, False, id="within other numbers"),
        pytest.param("1,500", {"must_contain": "500"}, False, id="end of a grouped number"),
        pytest.param("5\u00bd hours", {"must_contain": "5"}, False, id="vulgar fraction"),
        pytest.param("10\u00b2", {"must_contain": "102"}, False, id="superscript"),
        pytest.param("-5 degrees", {"must_contain": "5 degrees"}, False, id="sign"),
        pytest.param("It is 5.", {"must_contain": "5"}, True, id="full stop after a number"),
        pytest.param("8\u201310 hours", {"must_contain": ["8", "10 hours"]}, True, id="both ends of a range"),
        pytest.param("18 hours, that is 8 hours more", {"must_contain": "8 hours"}, True, id="second occurrence"),
        pytest.param("8 hours", {"must_contain": ["8 hours", "business"]}, False, id="all needles are required"),
        pytest.param("18 hours", {"must_not_contain": "8 hours"}, True, id="forbidden text is not a longer number"),
        pytest.param("8 hours", {"must_not_contain": "8 hours"}, False, id="forbidden text"),
        pytest.param("Business\nclass", {"matches": "^business$|class$"}, True, id="pattern without case"),
        pytest.param("Economy", {"matches": "business"}, False, id="pattern does not match"),
        pytest.param("\u201c8 hours\u201d!", {"equals": "8 hours"}, True, id="equal but for outer punctuation"),
        pytest.param("5", {"equals": "-5"}, False, id="sign is no punctuation"),
        pytest.param(".5", {"equals": "5"}, False, id="point of a number is no punctuation"),
        pytest.param("8 hours, at most", {"equals": "8 hours"}, False, id="longer is not equal"),
        pytest.param("8 hours", {"must_contain": "8 hours", "number": 9}, False, id="one of two conditions fails"),
        pytest.param("", {"must_contain": "x"}, False, id="empty answer"),
    ],
)
def test_conditions(answer, check, right):
    assert check_answer(answer, AnswerCheck.model_validate(check)).value is right


@pytest.mark.parametrize(
    ("answer", "number", "right"),
    [
        pytest.param("1,500 EUR", 1500, True, id="comma"),
        pytest.param("1 500 EUR", 1500, True, id="blank"),
        pytest.param("1\u202f500", 1500, True, id="narrow no-break blank"),
        pytest.param("EUR1,500.50", 1500.5, True, id="currency"),
        pytest.param("$8", 8, True, id="currency sign"),
        pytest.param("\u22125 \u00b0C", -5, True, id="Unicode minus"),
        pytest.param("3-5 days", 5, True, id="range"),
        pytest.param("3-5 days", -5, False, id="a range has no minus"),
        pytest.param("8%", 8, True, id="per cent"),
        pytest.param("8h", 8, True, id="unit"),
        pytest.param("rows 8,9", 9, True, id="list without blanks"),
        pytest.param("5\u00bd", 5.5, True, id="fraction"),
        pytest.param("about 1.0", {"value": 1.1, "tolerance": 0.1}, True, id="exact at the edge of the tolerance"),
        pytest.param("about 0.99", {"value": 1.1, "tolerance": 0.1}, False, id="beyond the tolerance"),
        pytest.param("10 hours [8].", 8, False, id="a citation is no number"),
        pytest.param("c08", 8, False, id="an id is no number"),
        pytest.param("1.500,00", 1500, False, id="European spelling is not guessed"),
        pytest.param("1.2.3", 1.2, False, id="a version is no number"),
        pytest.param("9" * 400, 9, False, id="endless digits"),
        pytest.param("1e5", 100000, True, id="exponent"),
    ],
)
def test_numbers(answer, number, right):
    assert check_answer(answer, AnswerCheck.model_validate({"number": number})).value is right


def test_what_cannot_be_told_is_unknown():
    assert check_answer(None, AnswerCheck(must_contain=("x",))).value is None
    assert check_answer("x", AnswerCheck()).value is None


def test_the_reason_names_the_first_condition_that_fails():
    verdict = check_answer("6 hours", AnswerCheck.model_validate({"must_contain": ["6", "8 hours"], "number": 9}))
    assert verdict.reason == "must_contain: '8 hours' is not in the answer"


@given(number=st.integers(0, 10**6), before=st.text("0123456789", max_size=2), after=st.text("0123456789", max_size=2))
def test_a_number_is_found_exactly_when_it_stands_alone(number, before, after):
    found = check_answer(f"it is {before}{number}{after} in all", AnswerCheck(must_contain=(str(number),))).value
    assert found is (not before and not after)


@given(text=st.text(min_size=1))
def test_every_text_contains_and_equals_itself(text):
    assume(any(unicodedata.category(character)[0] not in "CZ" for character in text))
    check = AnswerCheck(must_contain=(text,), equals=text)
    verdict = check_answer(text, check)
    assert verdict.value is True, verdict.reason
