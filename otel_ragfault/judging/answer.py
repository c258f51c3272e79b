"""Is the answer right? Deterministic conditions on its text."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from otel_ragfault.judging.numbers import numbers_in
from otel_ragfault.judging.patterns import TIME_LIMIT, matches
from otel_ragfault.judging.text import compared_text, plain_text
from otel_ragfault.model import AnswerCheck, Number
from otel_ragfault.model.wording import shown

_OUTER: Final = ".,;:!?\"'()[]{}*_# "
_CONTINUED_BY: Final = re.compile(r"\d|[.,^\u2044]\d")
_CONTINUES: Final = re.compile(r"(?:\d|\d[.,^\u2044]|(?:^|[^\w.])\.|(?:^|[^\w)\]-])[-])$")
_BEFORE: Final = 3

_needle = lru_cache(maxsize=4096)(compared_text)


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """Whether an answer is right; ``None`` when that cannot be told. ``reason`` says why, in a few words."""

    value: bool | None
    reason: str


def check_answer(answer: str | None, check: AnswerCheck) -> AnswerVerdict:
    """Judge an answer by the conditions of gold; every condition that is given has to hold.

    Texts are compared by :func:`~otel_ragfault.judging.text.compared_text`. A text that begins or ends with a digit is
    not found within a longer number (``8 hours`` is not in ``18 hours``). ``matches`` is a Python regular expression,
    searched in the plain text without regard to case; where that takes too long and no other condition fails, the
    verdict has no value. ``equals`` passes over punctuation around both texts. ``number`` holds when any number of the
    answer is within the tolerance.

    Args:
        answer: the answer's text; ``None`` when it was not recorded.
        check: the conditions.
    """
    if check.is_empty:
        return AnswerVerdict(value=None, reason="gold has no check of the answer")
    if answer is None:
        return AnswerVerdict(value=None, reason="the answer was not recorded")
    try:
        failed = next(_failures(answer, check), None)
    except TimeoutError:
        reason = (
            f"matches: {shown(check.matches)} was not done within {TIME_LIMIT:g} s; write it without repeats in repeats"
        )
        return AnswerVerdict(value=None, reason=reason)
    return AnswerVerdict(value=failed is None, reason=failed or "every condition of gold holds")


def _failures(answer: str, check: AnswerCheck) -> Iterator[str]:
    text = compared_text(answer)
    for needle in check.must_contain:
        if not contains(text, _needle(needle)):
            yield f"must_contain: {shown(needle)} is not in the answer"
    for needle in check.must_not_contain:
        if contains(text, _needle(needle)):
            yield f"must_not_contain: {shown(needle)} is in the answer"
    if check.equals is not None and _bare(text) != _bare(_needle(check.equals)):
        yield f"equals: the answer is not {shown(check.equals)}"
    if check.number is not None and not _names(answer, check.number):
        yield f"number: {_spelled(check.number)} is not in the answer"
    if check.matches is not None and not matches(check.matches, plain_text(answer)):
        yield f"matches: {shown(check.matches)} does not match"


def contains(text: str, needle: str) -> bool:
    """Say whether a text contains another, both as compared, without cutting a number at either end."""
    starts = _boundary(needle[:1], lambda at: not _CONTINUES.search(text[max(0, at - _BEFORE) : at]))
    ends = _boundary(needle[-1:], lambda at: not _CONTINUED_BY.match(text, at))
    at = text.find(needle)
    while at >= 0:
        if starts(at) and ends(at + len(needle)):
            return True
        at = text.find(needle, at + 1)
    return False


def _boundary(edge: str, test: Callable[[int], bool]) -> Callable[[int], bool]:
    return test if edge.isdigit() else lambda _: True


def _bare(text: str) -> str:
    """Strip punctuation around a text, but neither the point nor the sign of a number."""
    stripped = text.strip(_OUTER)
    at = text.find(stripped)
    if stripped[:1].isdigit() and text[:at].endswith("."):
        return "." + stripped
    return stripped or text


def _names(answer: str, number: Number) -> bool:
    value, tolerance = Decimal(repr(number.value)), Decimal(repr(number.tolerance))
    return any(abs(found - value) <= tolerance for found in numbers_in(answer))


def _spelled(number: Number) -> str:
    return f"{number.value:g}" + (f" (give or take {number.tolerance:g})" if number.tolerance else "")
