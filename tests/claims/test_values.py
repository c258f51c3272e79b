"""Numbers, dates and units as values: two spellings are one value, whatever their strings are."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otel_ragfault.judging.claims.reading import statement
from otel_ragfault.judging.claims.values import agreement, contradicts, is_near


def value(text):
    (found,) = statement(text).values
    return found


SAME = [
    ("8 h", "eight hours"),
    ("8 h", "480 minutes"),
    ("8h", "8 hours"),
    ("8 Stunden", "8 hours"),
    ("2 hours 30 minutes", "2.5 h"),
    ("2 hours and 30 minutes", "150 min"),
    ("one week", "7 days"),
    ("two years", "24 months"),
    ("1,000", "1000"),
    ("1 000", "one thousand"),
    ("1,234,567.50", "1234567.5"),
    ("twenty-five", "25"),
    ("a hundred and twenty", "120"),
    ("two hundred and five thousand", "205,000"),
    ("five million", "5,000,000"),
    ("$5 million", "5 million dollars"),
    ("$5m", "US$ 5,000,000"),
    ("€ 20", "20 euros"),
    ("20 %", "20 percent"),
    ("20 per cent", "20%"),
    ("50 basis points", "0.5 %"),
    ("5 km", "5,000 metres"),
    ("1 mile", "1.609344 km"),
    ("6 ft", "1.8288 m"),
    ("68 °F", "20 °C"),
    ("2:30 pm", "14:30"),
    ("12 a.m.", "0:00"),
    ("5½ hours", "5.5 hours"),
    ("12 March 2024", "March 12, 2024"),
    ("12 March 2024", "2024-03-12"),
    ("12th of March, 2024", "12.03.2024"),
    ("12. März 2024", "12 de marzo de 2024"),
    ("12 mars 2024", "Mar. 12 2024"),
    ("13/03/2024", "2024/3/13"),
    ("March 2024", "march, 2024"),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=lambda text: text)
def test_two_spellings_are_one_value(one, other):
    assert agreement(value(one), value(other)) == 2 or value(one).amount == value(other).amount > 0
    assert not contradicts(value(one), value(other))


DIFFERENT = [
    ("8 hours", "18 hours"),
    ("8 hours", "8 days"),
    ("1,000", "1,000,000"),
    ("5 km", "5 miles"),
    ("20 %", "20 percentage points"),
    ("$5", "€5"),
    ("12 March 2024", "3 December 2024"),
    ("12 March 2024", "12 March 2023"),
    ("-5", "5"),
    ("5", "0.5"),
    ("10²", "102"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=lambda text: text)
def test_other_values_stay_apart(one, other):
    ones, others = statement(one).values, statement(other).values
    assert not any(agreement(mine, theirs) for mine in ones for theirs in others)


def test_an_ambiguous_date_agrees_with_both_of_its_readings_and_excludes_neither():
    both = value("03/12/2024")
    for reading in ("3 December 2024", "12 March 2024"):
        assert agreement(value(reading), both) == 2
        assert not contradicts(value(reading), both)
    assert contradicts(value("4 December 2024"), both)


def test_a_less_exact_date_does_not_say_a_more_exact_one_and_does_not_deny_it():
    assert agreement(value("12 March 2024"), value("March 2024")) == 0
    assert agreement(value("March 2024"), value("12 March 2024")) == 2
    assert agreement(value("the year 2024"), value("12 March 2024")) == 1
    assert not contradicts(value("12 March 2024"), value("March 2024"))


def test_a_number_without_its_unit_is_the_same_number_and_no_more():
    assert agreement(value("8 hours"), value("8")) == 1
    assert not contradicts(value("8 hours"), value("10"))


def test_a_rounded_or_converted_amount_is_near_and_contradicts_nothing_but_years_are_never_near():
    assert is_near(value("8,848.86 m"), value("8,849 metres"))
    assert is_near(value("5 miles"), value("8 km"))
    assert not contradicts(value("5 miles"), value("8 km"))
    assert contradicts(value("8 hours"), value("10 hours"))
    assert contradicts(value("1998"), value("1999"))


@pytest.mark.parametrize("text", ["1,5 Stunden", "1.500 Euro", "3.5.2", "in '24", "on 3/4/24"], ids=lambda text: text)
def test_what_can_be_read_in_two_ways_makes_a_text_unclear(text):
    assert not statement(text).clear


@pytest.mark.parametrize("text", ["c08", "one of them", "H2O", "may", "no number"], ids=lambda text: text)
def test_what_is_no_number_is_none(text):
    assert statement(text).values == ()


def test_a_range_gives_its_unit_to_both_of_its_ends():
    assert [one.kind for one in statement("8 to 10 hours").values] == ["time", "time"]
    assert [one.kind for one in statement("between 8 and 10 hours").values] == ["time", "time"]
    assert [one.kind for one in statement("in 2020 and 10 hours").values] == ["", "time"]


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2199, 12, 31)))
def test_every_spelling_of_a_day_is_that_day(day):
    spellings = (
        day.isoformat(),
        f"{day.day} {day:%B} {day.year}",
        f"{day:%b} {day.day}, {day.year}",
        f"{day.day}.{day.month}.{day.year}",
    )
    for spelling in spellings:
        assert agreement(value(day.isoformat()), value(spelling)) == 2, spelling


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from(["hours", "km", "kg", "euros", "%"]))
def test_digits_with_and_without_commas_are_one_number(number, unit):
    assert agreement(value(f"{number} {unit}"), value(f"{number:,} {unit}")) == 2


@given(st.text(max_size=300))
def test_no_text_is_too_strange_to_be_read(text):
    read = statement(text)
    assert agreement_is_reflexive(read.values)


def agreement_is_reflexive(values):
    return all(agreement(one, one) > 0 or one.kind == "ordinal" for one in values)
