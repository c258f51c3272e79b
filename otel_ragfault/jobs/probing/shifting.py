"""Change one number or date of a passage, and leave all else as it is; find what was planted in an answer."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from otel_ragfault.judging.claims.dates import dates_in
from otel_ragfault.judging.claims.spelled import with_digits
from otel_ragfault.model import AnswerCheck
from otel_ragfault.model.compared import compared_text
from otel_ragfault.model.conditions import contains
from otel_ragfault.model.numbers import numbers_in

Kind = Literal["number", "date"]

_YEARS: Final = range(1000, 2200)
_WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER: Final = re.compile(
    r"(?<![\w.,:/^-])(?P<clock>(?:[01]?\d|2[0-3]):[0-5]\d)(?![\w:])"
    r"|(?<![\w.,:/^])(?<!\w-)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d:/^]|[.,]\d|-\d|-?[^\W\d_]*\d)"
    rf"|(?<![\w-])(?P<word>{'|'.join(_WORDS)})(?![\w-])",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_NEXT_WORD: Final = re.compile(r"\s*[\w%\u00b0\u20ac$\u00a3]+")
_TRIES: Final = 200


@dataclass(frozen=True, slots=True)
class Spot:
    """A number or a date in a passage: where it stands, as it is written."""

    first: int
    last: int
    text: str


@dataclass(frozen=True, slots=True)
class Shifted:
    """A passage with one value changed: its text, what was planted, and what it replaced."""

    text: str
    planted: str
    replaced: str
    spot: Spot


def spots(text: str, kind: Kind) -> list[Spot]:
    """Find the numbers, or the dates, of a text as it is written, in their order. A number in a date is the date's."""
    lowered = text.lower()
    dated = [Spot(one.first, one.last, text[one.first : one.last]) for one in dates_in(lowered)]
    if len(lowered) != len(text):  # characters that lower case makes two of: places would be wrong
        dated = []
    if kind == "date":
        return dated
    found = [Spot(*match.span(), match[0]) for match in _NUMBER.finditer(text)]
    return [one for one in found if not any(day.first < one.last and one.first < day.last for day in dated)]


def shift(text: str, kind: Kind, wanted: Sequence[str], taken: Sequence[str], seed: str) -> Shifted | None:
    """Change one value of a text into one that stands in none of the taken texts.

    Args:
        text: the passage.
        kind: whether a number or a date is changed.
        wanted: texts of gold; the first value that one of them names is changed. Where they name none of this kind,
            the first of the passage.
        taken: texts whose values are not planted.
        seed: what the planted value follows from.

    Returns:
        The changed passage; ``None`` where it has no such value, or none that gold names.
    """
    there = spots(text, kind)
    named = [spot for one in wanted for spot in spots(one, kind)]
    if named:
        there = [spot for spot in there if any(says_value(one.text, spot.text) for one in named)]
        there.sort(key=lambda spot: not _is_written(text, spot, wanted))
    if not there:
        return None
    spot = there[0]
    avoided = [text, *taken]
    draws = random.Random(f"{seed}/{kind}/{spot.text}")  # noqa: S311 - to be the same again, not to be secret
    for _ in range(_TRIES):
        planted = _moved_date(spot.text, draws) if kind == "date" else _moved_number(spot.text, draws)
        if planted is not None and not any(says_value(one, planted) for one in avoided):
            return Shifted(_replaced(text, spot, planted), planted, spot.text, spot)
    return None


def says_value(text: str, value: str) -> bool:
    """Say whether a text gives a value: as it is written, as a number of the same size, or as the same day."""
    plain = compared_text(text)
    if contains(plain, compared_text(value)):
        return True
    days = [reading for one in dates_in(compared_text(value)) for reading in one.readings]
    if days:
        told = [reading for one in dates_in(plain) for reading in one.readings]
        return any(theirs.covers(mine) for theirs in told for mine in days)
    if ":" in value:
        return False
    sizes = set(_sizes(value))
    return bool(sizes) and not sizes.isdisjoint(_sizes(text))


def gold_texts(check: AnswerCheck, expected: Iterable[str] = ()) -> list[str]:
    """Return what gold says that a right answer names: the texts in which values of gold are looked for."""
    number = [] if check.number is None else [f"{check.number.value:.10g}"]
    equal = [] if check.equals is None else [check.equals]
    return [*check.must_contain, *equal, *number, *expected]


def sentence_around(text: str, spot: Spot) -> tuple[int, int]:
    """Return where the sentence begins and ends in which a value stands."""
    begins = [match.end() for match in re.finditer(r"(?<=[.!?])\s+|\n+", text) if match.end() <= spot.first]
    ends = [match.start() for match in re.finditer(r"(?<=[.!?])(?=\s|$)|\n", text) if match.start() >= spot.last]
    return (begins[-1] if begins else 0), (ends[0] if ends else len(text))


def _is_written(text: str, spot: Spot, wanted: Iterable[str]) -> bool:
    """Say whether gold names the value with the word that stands behind it here."""
    after = _NEXT_WORD.match(text, spot.last)
    phrase = compared_text(spot.text + ("" if after is None else after[0]))
    return any(phrase in compared_text(one) for one in wanted)


def _sizes(text: str) -> Iterator[Decimal]:
    return numbers_in(with_digits(compared_text(text)))


def _replaced(text: str, spot: Spot, planted: str) -> str:
    """Put the planted value in every place where the same value stands before the same word; elsewhere it stays."""
    after = _NEXT_WORD.match(text, spot.last)
    unit = "" if after is None else after[0]
    same = re.compile(rf"(?<![\w.,:]){re.escape(spot.text)}(?={re.escape(unit)}(?!\w))") if unit else None
    if same is None:
        return text[: spot.first] + planted + text[spot.last :]
    return same.sub(planted.replace("\\", r"\\"), text)


def _moved_number(written: str, draws: random.Random) -> str | None:
    if written.lower() in _WORDS:
        other = draws.choice([word for word in _WORDS if word != written.lower()])
        return other.capitalize() if written[0].isupper() else other
    if ":" in written:
        hour, minute = written.split(":")
        return f"{(int(hour) + draws.randint(1, 11)) % 24:0{len(hour)}d}:{minute}"
    whole, _, decimals = written.partition(".")
    number = int(whole.replace(",", ""))
    if number in _YEARS and not decimals and "," not in written and len(whole) == 4:  # noqa: PLR2004 - a year
        return str(number + draws.choice((-1, 1)) * draws.randint(1, 9))
    most = max(3, number // 2)
    moved = number + draws.choice((-1, 1)) * draws.randint(1, most)
    if moved < 1:
        moved = number + draws.randint(1, most)
    text = f"{moved:,}" if "," in whole else str(moved)
    return f"{text}.{decimals}" if decimals else text


def _moved_date(written: str, draws: random.Random) -> str | None:
    """Return the date in another year where it names one, else on another day; ``None`` where that is no date."""
    year = _YEAR.search(written)
    if year is not None:
        moved = str(int(year[0]) + draws.choice((-1, 1)) * draws.randint(1, 9))
        changed = written[: year.start()] + moved + written[year.end() :]
    else:
        day = _DAY.search(written)
        if day is None:
            return None
        changed = written[: day.start()] + str(draws.randint(1, 28)) + written[day.end() :]
    told = [reading for one in dates_in(changed.lower()) for reading in one.readings]
    return changed if any(_exists(one.year, one.month, one.day) for one in told) else None


def _exists(year: int | None, month: int, day: int | None) -> bool:
    try:
        date(year or 2000, month, day or 1)
    except ValueError:
        return False
    return True
