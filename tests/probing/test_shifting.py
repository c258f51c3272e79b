"""One value of a passage is changed, every other character stays, and what was planted is found in an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.jobs.probing.shifting import says_value, sentence_around, shift, spots


@pytest.mark.parametrize(
    ("text", "numbers", "dates"),
    [
        ("open from 8 hours", ["8"], []),
        ("1,500 euros or 2.5 %", ["1,500", "2.5"], []),
        ("eight hours, one day", ["eight"], []),
        ("from 22:00 on", ["22:00"], []),
        ("on 1 March 2024, 3 times", ["3"], ["1 March 2024"]),
        ("2024-03-01 and March 5", [], ["2024-03-01", "March 5"]),
        ("in 1998 and 2003", ["1998", "2003"], []),
        ("COVID-19, A4, b2b, v1.2.3, 10/12", [], []),
        ("30€, $20, 5km, 20%", ["30", "20", "5", "20"], []),
        ("range 8-10 hours", [], []),
        ("no number", [], []),
    ],
)
def test_values_are_found_as_they_are_written(text, numbers, dates):
    assert [one.text for one in spots(text, "number")] == numbers
    assert [one.text for one in spots(text, "date")] == dates
    assert all(text[one.first : one.last] == one.text for kind in ("number", "date") for one in spots(text, kind))


@pytest.mark.parametrize(
    ("text", "wanted", "replaced"),
    [
        ("within 3 days, from 8 hours", ["8 hours"], "8"),
        ("within 3 days, from 8 hours", [], "3"),
        ("8 people, 8 hours", ["8 hours"], "8"),
        ("eight hours and 3 days", ["8 hours"], "eight"),
        ("1500 euros", ["1,500 euros"], "1500"),
        ("at 22:00 or 21:00", ["21:00"], "21:00"),
        ("from 8 hours", ["9 hours"], None),
        ("nothing", [], None),
    ],
)
def test_the_value_that_gold_names_is_changed(text, wanted, replaced):
    found = shift(text, "number", wanted, [], "1")
    assert (found and found.replaced) == replaced


def test_only_the_value_beside_the_same_word_is_changed():
    found = shift("8 people may fly 8 hours, not more than 8 hours", "number", ["8 hours"], [], "1")
    assert found.text == f"8 people may fly {found.planted} hours, not more than {found.planted} hours"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("since 1 March 2024", "date"),
        ("since March 5", "date"),
        ("on 2024-02-29", "date"),
        ("1,500 euros", "number"),
        ("2.5 %", "number"),
        ("in 1998", "number"),
        ("Two days", "number"),
        ("at 09:30", "number"),
        ("0 errors", "number"),
    ],
)
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_what_is_planted_has_the_form_of_what_it_replaces(text, kind, seed):
    found = shift(text, kind, [], [], seed)
    assert found.planted != found.replaced
    assert [one.text for one in spots(found.text, kind)] == [found.planted]
    assert found.replaced[0].isupper() == found.planted[0].isupper()
    assert ("," in found.replaced, "." in found.replaced, ":" in found.replaced) == (
        "," in found.planted,
        "." in found.planted,
        ":" in found.planted,
    )


def test_what_is_planted_stands_in_no_other_text():
    taken = [str(number) for number in range(1, 12)]
    found = shift("from 8 hours", "number", [], taken, "1")
    assert found is None or not any(says_value(text, found.planted) for text in taken)


@given(st.text(max_size=40), st.integers(0, 10**6), st.text(max_size=40), st.integers(0, 100))
def test_every_other_character_stays(before, number, behind, seed):
    text = f"{before} {number} {behind}"
    found = shift(text, "number", [], [], str(seed))
    if found is None:
        return
    assert found.spot.text == found.replaced
    assert text[: found.spot.first] == found.text[: found.spot.first]
    assert found.text.count(found.planted) >= 1
    assert shift(text, "number", [], [], str(seed)) == found


@pytest.mark.parametrize(
    ("answer", "value", "says"),
    [
        ("It is 11 hours.", "11", True),
        ("It is eleven hours.", "11", True),
        ("It is 111 hours.", "11", False),
        ("1,500 euros", "1500", True),
        ("since March 1, 2024", "1 March 2024", True),
        ("since March 2, 2024", "1 March 2024", False),
        ("at 10:30", "10:30", True),
        ("at 10 o'clock", "10:30", False),
        ("nothing", "8", False),
    ],
)
def test_a_value_is_found_in_an_answer_however_it_is_written(answer, value, says):
    assert says_value(answer, value) is says


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. From 8 hours on. Two.", "From 8 hours on."),
        ("From 8 hours", "From 8 hours"),
        ("a\nfrom 2.5 hours\nb", "from 2.5 hours"),
    ],
)
def test_the_sentence_around_a_value(text, sentence):
    first, last = sentence_around(text, spots(text, "number")[0])
    assert text[first:last] == sentence
