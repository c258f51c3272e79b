"""What a text names by number, as values: ``8 h``, ``eight hours`` and ``480 minutes`` are one.

Numbers are read as English spells them; a spelling that other languages read otherwise (``1,5``, ``1.500``) makes a
text unclear, so that nothing is concluded from what it does not say.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final, NamedTuple

from otel_ragfault.judging.claims.dates import Dated, Day, dates_in
from otel_ragfault.judging.claims.spelled import FACTORS
from otel_ragfault.judging.claims.units import UNITS, Unit

_YEARS: Final = range(1000, 2200)
_NEAR: Final = 0.02
_CONVERTED: Final = 0.05
_MONTH: Final = 30 * 86_400
_COMPARABLE: Final = ({"time", "months"}, {"", "share"})
_SHORT_YEAR: Final = re.compile(r"(?<!\d)\d{1,2}([/.-])\d{1,2}\1\d{2}(?!\d)|(?<!\w)'\d{2}(?!\w)")
_LONGEST: Final = 40
_MONEY: Final = {"us$": "$", "rs": "inr", "rs.": "inr"}
_SHORT_FACTORS: Final = {"m": 1_000_000, "b": 1_000_000_000, **FACTORS}
_NAMES: Final = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
_CLOCK: Final = re.compile(
    r"(?<![\w:.,])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d)(?::[0-5]\d)?)?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\w:.,])(?P<hour24>\d{1,2}):(?P<minute24>[0-5]\d)(?::[0-5]\d)?(?![\w:])"
)
_NUMBER: Final = re.compile(
    rf"""(?<![\w^.,])
    (?P<money>(?:us\$|[$\u20ac\u00a3\u00a5\u20b9]|usd|eur|gbp|chf|jpy|inr|rs\.?)\s?)?
    (?P<sign>(?<![\w)\]])[-+])?
    (?P<digits>\.?\d[\d.,]*(?:\ \d{{3}}(?!\d))*)(?P<exponent>e[+-]?\d{{1,2}}(?!\w))?(?!\^)
    (?:
        (?P<ordinal>st|nd|rd|th)(?!\w)
        | (?:[\s-]?(?P<factor>{"|".join(FACTORS)}|(?<=\d)[mb](?=\W|$))(?!\w))?
          (?:(?P<gap>[\s-]?)(?P<unit>{_NAMES})(?![\w^/]))?
    )""",
    re.VERBOSE,
)
_ENGLISH: Final = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+")
_SPACED: Final = re.compile(r"\d{1,3}(?: \d{3})+")
_ELSEWHERE: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_JOINING: Final = frozenset({"", " ", " and ", ", "})
_RANGING: Final = frozenset({"-", " - ", " to ", "to", " or ", " and "})


class Value(NamedTuple):
    """A value, and where it stands in the text: an amount with or without a unit, or a date.

    ``kind`` is the dimension, ``date``, or empty for a plain number; ``size`` is in base units.
    """

    first: int
    last: int
    kind: str
    amount: Fraction
    size: Fraction
    unit: Unit | None = None
    days: tuple[Day, ...] = ()

    @property
    def text(self) -> str:
        """The value as a reason names it."""
        if self.days:
            return "-".join(f"{part:02d}" for part in self.days[0] if part is not None)
        return f"{float(self.amount):.10g}" + (f" ({self.kind})" if self.kind else "")

    @property
    def year(self) -> int | None:
        """The number as a year, where it may be one."""
        whole = not self.kind and self.amount.denominator == 1 and self.amount.numerator in _YEARS
        return self.amount.numerator if whole else None


class Values(NamedTuple):
    """The values of a text in their order. ``clear``: every number in it could be read in one way only."""

    values: tuple[Value, ...]
    clear: bool


def values_in(text: str) -> Values:
    """Find the values of a text that is plain, in lower case, with number words as digits."""
    found: list[Value] = [_dated(date) for date in dates_in(text)]
    rest = blanked(text, found)
    clocks = [_clock(match) for match in _CLOCK.finditer(rest)]
    found += clocks
    rest = blanked(rest, clocks)
    clear = _SHORT_YEAR.search(rest) is None
    numbers: list[Value] = []
    for match in _NUMBER.finditer(rest):
        readable = _amount(match)
        clear = clear and readable is not None and _ELSEWHERE.fullmatch(match["digits"].rstrip(".,")) is None
        if readable is not None:
            numbers.append(_value(match, readable))
    return Values(tuple(sorted(found + list(_joined(_ranged(numbers, rest), rest)))), clear)


def blanked(text: str, values: Iterable[Value]) -> str:
    """Return the text with blanks in the place of values."""
    characters = list(text)
    for value in values:
        characters[value.first : value.last] = " " * (value.last - value.first)
    return "".join(characters)


def agreement(claimed: Value, said: Value) -> int:
    """How well a text says a claimed value: 2 as the same value, 1 as the same number without its unit, 0 not."""
    if claimed.kind == said.kind == "date":
        return 2 if any(theirs.covers(mine) for mine in claimed.days for theirs in said.days) else 0
    if said.kind == "date":
        return int(claimed.year is not None and any(day.year == claimed.year for day in said.days))
    if claimed.kind == "date":
        return 0
    if claimed.kind and said.kind:
        return 2 if claimed.kind == said.kind and claimed.size == said.size else 0
    return int(claimed.amount == said.amount and "ordinal" not in {claimed.kind, said.kind})


def contradicts(claimed: Value, said: Value) -> bool:
    """Whether two values of one kind differ, and not by rounding."""
    if claimed.kind != said.kind:
        return False
    if claimed.kind == "date":
        return all(theirs.excludes(mine) for mine in claimed.days for theirs in said.days)
    return claimed.size != said.size and not is_near(claimed, said)


def is_near(one: Value, other: Value) -> bool:
    """Whether one amount may be the other, rounded or converted: years never are."""
    if "date" in {one.kind, other.kind} or (one.year is not None and other.year is not None):
        return False
    if one.kind != other.kind and {one.kind, other.kind} not in _COMPARABLE:
        return False
    mine, theirs = (_seconds(one), _seconds(other)) if one.kind != other.kind else (float(one.size), float(other.size))
    allowed = _NEAR if one.unit == other.unit else _CONVERTED
    return abs(mine - theirs) <= allowed * max(abs(mine), abs(theirs))


def _seconds(value: Value) -> float:
    return float(value.size) * (_MONTH if value.kind == "months" else 1)


def _dated(date: Dated) -> Value:
    return Value(date.first, date.last, "date", Fraction(0), Fraction(0), None, date.readings)


def _clock(match: re.Match[str]) -> Value:
    hour, minute = int(match["hour"] or match["hour24"]), int(match["minute"] or match["minute24"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] == "p" else 0)
    return Value(match.start(), match.end(), "time of day", Fraction(hour), Fraction(60 * hour + minute))


def _amount(match: re.Match[str]) -> Fraction | None:
    digits = match["digits"].rstrip(".,")
    if len(digits) > _LONGEST:
        return None
    if _SPACED.fullmatch(digits):
        digits = digits.replace(" ", "")
    if not _ENGLISH.fullmatch(digits):
        return None
    return Fraction(Decimal((match["sign"] or "") + digits.replace(",", "") + (match["exponent"] or "")))


def _value(match: re.Match[str], amount: Fraction) -> Value:
    first, last = match.span()
    written = match["digits"].rstrip(".,") + (match["exponent"] or "")
    digits_end = match.start("digits") + len(written)
    if match["ordinal"]:
        return Value(first, last, "ordinal", amount, amount)
    factor, name = match["factor"], match["unit"]
    money = (match["money"] or "").strip()
    if factor in {"m", "b"} and not money:  # five metres, without a currency before it
        factor, name = None, "m" if factor == "m" else None
    amount *= _SHORT_FACTORS.get(factor or "", 1)
    if money:
        name = _MONEY.get(money, money)
    elif name == "s" and match["gap"] == "" and amount in _YEARS:  # the 1990s
        name = None
    unit = UNITS.get(name or "")
    if unit is None:
        return Value(first, last if factor else digits_end, "", amount, amount)
    return Value(first, last, unit.dimension, amount, _size(amount, unit), unit)


def _size(amount: Fraction, unit: Unit) -> Fraction:
    return amount * unit.factor + unit.offset


def _ranged(values: list[Value], text: str) -> list[Value]:
    """Give the first number of a range the unit that only the second one has: ``8 to 10 hours``."""
    ranged = list(values)
    for at in range(len(values) - 2, -1, -1):
        one, after = ranged[at], ranged[at + 1]
        if not one.kind and after.unit is not None and text[one.last : after.first] in _RANGING and one.year is None:
            ranged[at] = one._replace(kind=after.kind, size=_size(one.amount, after.unit), unit=after.unit)
    return ranged


def _joined(values: list[Value], text: str) -> Iterator[Value]:
    """Add up what is one amount in two units: ``2 hours 30 minutes``."""
    whole: Value | None = None
    for value in values:
        if whole is not None and _continues(whole, value, text[whole.last : value.first]):
            whole = whole._replace(last=value.last, size=whole.size + value.size, amount=value.amount, unit=value.unit)
            continue
        if whole is not None:
            yield whole
        whole = value
    if whole is not None:
        yield whole


def _continues(whole: Value, value: Value, gap: str) -> bool:
    if whole.unit is None or value.unit is None or whole.kind != value.kind or gap not in _JOINING:
        return False
    return not value.unit.offset and 0 <= value.size < whole.unit.factor
