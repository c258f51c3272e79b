"""Dates in a text, in the spellings that people use. A date may lack its day or its year."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_MONTHS: Final = (
    "january jan januar janvier enero",
    "february feb februar f\u00e9vrier febrero",
    "march mar m\u00e4rz mars marzo",
    "april apr avril abril",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet julio",
    "august aug ao\u00fbt agosto",
    "september sep sept septembre septiembre",
    "october oct okt oktober octobre octubre",
    "november nov novembre noviembre",
    "december dec dez dezember d\u00e9cembre diciembre",
)
_NUMBER_OF: Final = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_ANY: Final = "|".join(sorted(_NUMBER_OF, key=len, reverse=True))
_FORMS: Final = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?P<iso>(?P<y1>[12]\d{{3}})(?P<gap>[-/.])(?P<m1>\d{{1,2}})(?P=gap)(?P<d1>\d{{1,2}})(?:t[\d:.]+z?)?(?!\w))
    | (?P<dotted>(?P<d2>\d{{1,2}})\.\s?(?P<m2>\d{{1,2}})\.\s?(?P<y2>[12]\d{{3}})(?!\d))
    | (?P<slashed>(?P<a3>\d{{1,2}})/(?P<b3>\d{{1,2}})/(?P<y3>[12]\d{{3}})(?!\d))
    | (?P<day_first>
        (?:the\s)?(?P<d4>\d{{1,2}})(?:st|nd|rd|th|\.)?(?:\s(?:of|de))?\s(?P<m4>{_ANY})\.?(?!\w)
        (?:(?:,?\s|\sde\s)(?P<y4>[12]\d{{3}})(?!\d))?
      )
    | (?P<month_first>
        (?P<m5>{_ANY})\.?\s(?P<d5>\d{{1,2}})(?!\d)(?:st|nd|rd|th)?(?![\d%:])
        (?:,?\s(?P<y5>[12]\d{{3}})(?!\d))?
      )
    | (?P<month_only>(?P<m6>{_ANY})\.?,?\s(?P<y6>[12]\d{{3}})(?!\d))
    )""",
    re.VERBOSE,
)


class Day(NamedTuple):
    """A date as far as it is told; ``None`` where it is not."""

    year: int | None
    month: int
    day: int | None

    def covers(self, other: "Day") -> bool:
        """Whether this date tells all that the other tells, and the same."""
        return all(theirs is None or mine == theirs for mine, theirs in zip(self, other, strict=True))

    def excludes(self, other: "Day") -> bool:
        """Whether the two cannot be the same day."""
        return any(
            mine is not None and theirs is not None and mine != theirs for mine, theirs in zip(self, other, strict=True)
        )


class Dated(NamedTuple):
    """A date in a text: where it stands, and its readings, several for ``03/04/2024``."""

    first: int
    last: int
    readings: tuple[Day, ...]


def dates_in(text: str) -> Iterator[Dated]:
    """Yield the dates of a text, as compared."""
    if not any(character.isdigit() for character in text):
        return
    for match in _FORMS.finditer(text):
        readings = tuple(day for day in _readings(match) if _exists(day))
        if readings:
            yield Dated(match.start(), match.end(), readings)


def _readings(match: re.Match[str]) -> Iterator[Day]:
    if match["iso"]:
        yield Day(int(match["y1"]), int(match["m1"]), int(match["d1"]))
    elif match["dotted"]:
        yield Day(int(match["y2"]), int(match["m2"]), int(match["d2"]))
    elif match["slashed"]:
        one, other, year = int(match["a3"]), int(match["b3"]), int(match["y3"])
        yield Day(year, other, one)
        if one != other:
            yield Day(year, one, other)
    elif match["day_first"]:
        yield Day(_number(match["y4"]), _NUMBER_OF[match["m4"]], int(match["d4"]))
    elif match["month_first"]:
        yield Day(_number(match["y5"]), _NUMBER_OF[match["m5"]], int(match["d5"]))
    else:
        yield Day(int(match["y6"]), _NUMBER_OF[match["m6"]], None)


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _exists(day: Day) -> bool:
    return 1 <= day.month <= 12 and (day.day is None or 1 <= day.day <= 31)  # noqa: PLR2004 - of a year, of a month
