"""Number words of English, written as digits, so that one reading of numbers is enough: ``twenty-five`` is ``25``."""

import re
from typing import Final

from otel_ragfault.judging.claims.units import UNITS

_SMALL: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_FACTORS: Final = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "mn": 1_000_000,
    "billion": 1_000_000_000,
    "bn": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "dozen": 12,
}
FACTORS: Final = {**_FACTORS, "k": 1_000}
"""What a number is multiplied with by the word behind it."""

_BEGINNING: Final = "|".join((*_SMALL, *_TENS))
_WORDS: Final = "|".join((_BEGINNING, *(word for word in _FACTORS if word not in {"mn", "bn"})))
_RUN: Final = re.compile(
    rf"\b(?:{_BEGINNING}|a[ -](?:hundred|thousand|million|billion|trillion|dozen))(?:(?:[ -]| and )(?:{_WORDS}))*\b"
)
_PRONOUN: Final = re.compile(r"\b(?:one|zero)\b")
_COUNTS: Final = re.compile(
    rf"[ -](?!day\b)(?:{'|'.join(name for name in UNITS if name.isalpha() and len(name) > 1)})\b"
)
_STEP: Final = re.compile(r"[ -]+")


def with_digits(text: str) -> str:
    """Return a text, as compared, with its number words as digits.

    ``one`` alone is a pronoun as often, and stays, but for ``one hour``; ``one day`` may be any.
    """
    return _RUN.sub(_digits, text)


def _digits(match: re.Match[str]) -> str:
    written = match[0]
    words = [word for word in _STEP.split(written) if word not in {"a", "and"}]
    if len(words) == 1 and _PRONOUN.fullmatch(words[0]) and not _COUNTS.match(match.string, match.end()):
        return written
    number = _read(words)
    return written if number is None else str(number)


def _read(words: list[str]) -> int | None:
    """Return the number that the words spell; ``None`` for several, as in ``two three``."""
    total = part = 0
    last = None
    for word in words:
        if word in _FACTORS:
            factor = _FACTORS[word]
            part = max(part, 1) * factor
            if factor >= 1_000:  # noqa: PLR2004 - thousands close a part
                total, part = total + part, 0
            last = None
        else:
            step = _SMALL.get(word, _TENS.get(word, 0))
            if last is not None and not (last in _TENS.values() and 0 < step < 10):  # noqa: PLR2004 - twenty-five
                return None
            part += step
            last = step
    return total + part
