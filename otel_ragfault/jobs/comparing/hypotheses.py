"""Hypotheses that were declared beforehand, as text, and what the cases say about them.

    NAME increases [by AMOUNT]
    NAME decreases [by AMOUNT]
    NAME unchanged [within AMOUNT]

``NAME`` is a measure (``passed``, ``recall_groups@5`` or ``recall@5``, ``ndcg@5``, ``mrr``, ``evidence_in_prompt`` …),
a label, a family of labels (``unknown``), a boundary, or an outcome (``refused``). ``AMOUNT`` is a share such as
``0.05``, or ``5%``; it is that of the mean, and not relative to it.

Without an amount, the answer is that of the test of the mean paired change (exact McNemar, or sign flips) at the level
of the intervals: ``yes`` where it is significant in the direction that was declared, ``no`` where it is so in the
other. With an amount, the interval decides: ``yes`` where all of it lies beyond, ``no`` where none of it does.
Everything else is not decidable with so many cases, and never ``no``: what was not shown is not refuted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing.differences import difference, values_of
from otel_ragfault.jobs.comparing.figures import Figure, figure_of
from otel_ragfault.jobs.comparing.result import Answer, CaseChange, Difference, Direction, Hypothesis
from otel_ragfault.statistics import (
    Resampling,
    aligned,
    cases_for_mean,
    cases_for_proportions,
    cases_without_change,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from otel_ragfault.model.comparing import ComparingConfig

_GRAMMAR: Final = re.compile(
    r"(?P<name>\S.*?)\s+(?:(?:is|stays)\s+)?(?P<direction>increases|decreases|unchanged)"
    r"(?:\s+(?P<word>by|within)\s+(?P<amount>\S+))?",
    re.IGNORECASE,
)
_WORDS: Final = {"increases": "by", "decreases": "by", "unchanged": "within"}
_SIGNS: Final = {"increases": 1, "decreases": -1, "unchanged": 0}
_EQUAL: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Expectation:
    """A hypothesis as declared: the figure, its direction, and by how much; 0 where that was not said."""

    text: str
    figure: Figure
    direction: Direction
    by: float


def expectation(text: str, cutoffs: Sequence[int]) -> Expectation:
    """Read a hypothesis.

    Raises:
        InputError: it is not written as one, or names nothing that is known.
    """
    found = _GRAMMAR.fullmatch(text.strip())
    if found is None:
        raise InputError(
            f"expect {text!r}: found no hypothesis; NAME increases, NAME decreases or NAME unchanged was wanted, "
            "such as 'retrieval.below_k decreases' or 'recall@5 increases by 0.05'"
        )
    direction: Direction = found["direction"].lower()  # type: ignore[assignment]
    if found["word"] is not None and found["word"].lower() != _WORDS[direction]:
        raise InputError(
            f"expect {text!r}: found {found['word']!r} after {direction!r}; {_WORDS[direction]!r} was wanted; write "
            f"'{found['name']} {direction} {_WORDS[direction]} 0.05'"
        )
    try:
        figure = figure_of(found["name"], cutoffs)
    except InputError as error:
        raise InputError(f"expect {error}") from None
    return Expectation(text.strip(), figure, direction, _amount(found["amount"], text))


def _amount(written: str | None, text: str) -> float:
    if written is None:
        return 0.0
    try:
        amount = float(written.removesuffix("%")) / (100 if written.endswith("%") else 1)
    except ValueError:
        amount = -1.0
    if not 0 < amount < 1:
        raise InputError(
            f"expect {text!r}: found the amount {written!r}; a share above 0 and below 1 was wanted, as 0.05 or 5%"
        )
    return amount


def answered(one: Expectation, cases: Sequence[CaseChange], how: Resampling, config: "ComparingConfig") -> Hypothesis:
    """Return what the cases say about a hypothesis."""
    by = one.by or (config.margin if one.direction == "unchanged" else 0.0)
    found = difference(cases, one.figure, how)
    answer, reason = _answer(one, found, by, 1 - how.confidence)
    needed = None
    if answer == "not decidable":
        _, before, after = aligned(*values_of(cases, one.figure))
        needed = _cases_needed(one, after - before, by, how.confidence, config.power)
    return Hypothesis(
        text=one.text,
        label=one.figure.name,
        direction=one.direction,
        answer=answer,
        before=found.before,
        after=found.after,
        cases=found.cases,
        p_value=found.p_value,
        cases_needed=needed,
        by=by,
        low=found.low,
        high=found.high,
        reason=reason,
    )


def _answer(one: Expectation, found: Difference, by: float, level: float) -> tuple[Answer, str]:
    if found.low is None or found.high is None:
        return _open("fewer than two cases have a value on both sides")
    if one.direction == "unchanged":
        return _unchanged(found.low, found.high, by)
    if by:
        low, high = (found.low, found.high) if _SIGNS[one.direction] > 0 else (-found.high, -found.low)
        return _beyond(low, high, by)
    return _directed(found, _SIGNS[one.direction], level)


def _beyond(low: float, high: float, by: float) -> tuple[Answer, str]:
    if low >= by:
        return "yes", "the whole interval lies beyond the amount"
    return ("no", "the interval ends before the amount") if high < by else _open("the interval holds the amount")


def _directed(found: Difference, sign: int, level: float) -> tuple[Answer, str]:
    if found.before == (0 if sign < 0 else 1):
        return "no", "nothing can fall below 0" if sign < 0 else "nothing can rise above 1"
    if found.p_value is None or found.p_value >= level:
        return _open("not significant")
    return ("yes", "significant") if sign * (found.change or 0.0) > 0 else ("no", "significant the other way")


def _unchanged(low: float, high: float, margin: float) -> tuple[Answer, str]:
    if -margin <= low and high <= margin:
        return "yes", "the whole interval lies within the margin"
    if low > margin or high < -margin:
        return "no", "the whole interval lies outside the margin"
    return _open("the interval crosses the margin")


def _open(reason: str) -> tuple[Answer, str]:
    return "not decidable", reason


def _cases_needed(
    one: Expectation, differences: "NDArray[np.float64]", by: float, confidence: float, power: float
) -> int | None:
    """Return how many cases like these decide it; ``None`` where nothing was seen that more of them could show."""
    size = len(differences)
    if not size:
        return None
    change = float(differences.mean())
    distance = _distance(one.direction, change, by)
    if not differences.any():
        needed = cases_without_change(by, confidence=confidence) if by else None
    elif abs(distance) < _EQUAL:
        needed = None
    elif not by and bool(np.isin(differences, (-1, 0, 1)).all()):
        gained, lost = float((differences > 0).mean()), float((differences < 0).mean())
        needed = cases_for_proportions(gained, lost, confidence=confidence, power=power)
    else:
        needed = cases_for_mean(distance, float(differences.std()), confidence=confidence, power=power)
    return None if needed is None else max(needed, size + 1)


def _distance(direction: Direction, change: float, by: float) -> float:
    """Return how far the change lies from where the answer turns."""
    if direction == "unchanged":
        return abs(change) - by
    return change - _SIGNS[direction] * by
