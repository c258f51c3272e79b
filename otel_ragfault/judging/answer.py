"""Is the answer right? Deterministic conditions on its text."""

from collections.abc import Iterator
from dataclasses import dataclass

from otel_ragfault.judging.patterns import TIME_LIMIT, matches
from otel_ragfault.model import AnswerCheck, Number
from otel_ragfault.model.compared import compared_text, plain_text
from otel_ragfault.model.conditions import bare, contains, names, needle
from otel_ragfault.model.wording import shown


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """Whether an answer is right; ``None`` when that cannot be told. ``reason`` says why, in a few words."""

    value: bool | None
    reason: str


def check_answer(answer: str | None, check: AnswerCheck) -> AnswerVerdict:
    """Judge an answer by the conditions of gold; every condition that is given has to hold.

    Texts are compared by :func:`~otel_ragfault.model.compared.compared_text`. A text that begins or ends with a digit
    is not found within a longer number (``8 hours`` is not in ``18 hours``). ``matches`` is a Python regular
    expression, searched in the plain text without regard to case; where that takes too long and no other condition
    fails, the verdict has no value. ``equals`` passes over punctuation around both texts. ``number`` holds when any
    number of the answer is within the tolerance.

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
    for wanted in check.must_contain:
        if not contains(text, needle(wanted)):
            yield f"must_contain: {shown(wanted)} is not in the answer"
    for unwanted in check.must_not_contain:
        if contains(text, needle(unwanted)):
            yield f"must_not_contain: {shown(unwanted)} is in the answer"
    if check.equals is not None and bare(text) != bare(needle(check.equals)):
        yield f"equals: the answer is not {shown(check.equals)}"
    if check.number is not None and not names(answer, check.number):
        yield f"number: {_spelled(check.number)} is not in the answer"
    if check.matches is not None and not matches(check.matches, plain_text(answer)):
        yield f"matches: {shown(check.matches)} does not match"


def _spelled(number: Number) -> str:
    return f"{number.value:g}" + (f" (give or take {number.tolerance:g})" if number.tolerance else "")
