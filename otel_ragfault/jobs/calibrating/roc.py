"""Where to draw the line between the scores of evidence and those of everything else: ROC, AUC, operating points.

Every case weighs the same on either side, however many chunks were ranked for it: its scores share the weight 1. What
is at a floor or above is kept.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from otel_ragfault.statistics import Resampling, case_draws

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

_TOLERANCE: Final = 1e-12  # shares are sums of fractions
_MOST_DIGITS: Final = 17
_LEAST_DIGITS: Final = 2
_AT_ONCE: Final = 512  # thresholds

Choose = Callable[["Matrix", "Matrix"], "NDArray[np.intp]"]
"""From the shares rejected of evidence and accepted of others (a row a replicate, a column a threshold) to columns."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of each case: of its evidence, and of what is none."""

    case_ids: tuple[str, ...]
    evidence: "tuple[Matrix, ...]"
    others: "tuple[Matrix, ...]"

    @classmethod
    def of(
        cls, evidence: "Mapping[str, Sequence[float] | Matrix]", others: "Mapping[str, Sequence[float] | Matrix]"
    ) -> "Scores":
        """Put the scores of both sides together, by case."""
        case_ids = tuple(sorted({*evidence, *others}))
        return cls(
            case_ids,
            tuple(np.asarray(evidence.get(case_id, ()), dtype=np.float64) for case_id in case_ids),
            tuple(np.asarray(others.get(case_id, ()), dtype=np.float64) for case_id in case_ids),
        )


@dataclass(frozen=True, slots=True)
class Point:
    """A floor and what it does: the share of evidence that it rejects, and of everything else that it lets pass."""

    floor: float
    false_rejection: float
    false_acceptance: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve, a point a threshold, the area under it, and what was chosen; with intervals over cases."""

    points: tuple[Point, ...]
    chosen: Point
    floor_low: float
    floor_high: float
    auc: float
    auc_low: float
    auc_high: float


def youden(rejected: "Matrix", accepted: "Matrix") -> "NDArray[np.intp]":
    """Choose the threshold at which evidence kept and others left out are most in sum; of several the lowest."""
    kept = (1 - rejected) - accepted
    best: NDArray[np.intp] = np.argmax(kept >= kept.max(axis=1, keepdims=True) - _TOLERANCE, axis=1)
    return best


def at_most(false_rejection: float) -> Choose:
    """Choose the highest threshold that rejects no more of the evidence than this share."""

    def choose(rejected: "Matrix", _: "Matrix") -> "NDArray[np.intp]":
        found: NDArray[np.intp] = (rejected <= false_rejection + _TOLERANCE).sum(axis=1) - 1
        return np.maximum(found, 0)

    return choose


def curve(scores: Scores, choose: Choose, how: Resampling) -> Curve:
    """Return the curve of some scores. Both sides need scores.

    Only scores of evidence are thresholds: between two of them a higher one rejects nothing more of the evidence.

    Args:
        scores: of both sides, by case.
        choose: which threshold is wanted.
        how: seed, replicates and confidence of the intervals, which resample cases.
    """
    thresholds = np.unique(np.concatenate(scores.evidence))
    has_evidence, has_others = (
        np.array([float(len(one) > 0) for one in side]) for side in (scores.evidence, scores.others)
    )
    drawn = case_draws(scores.case_ids, how).T
    some = (drawn @ has_evidence > 0) & (drawn @ has_others > 0)
    weights = np.vstack([np.ones((1, len(scores.case_ids))), drawn[some]])  # the sample itself, then the replicates
    on_either_side = ((weights @ has_evidence)[:, None], (weights @ has_others)[:, None])
    rejected, accepted, auc = _rates(scores, thresholds, weights, on_either_side)
    floors = _floors(thresholds, scores)
    points = tuple(map(Point, floors, rejected[0].tolist(), accepted[0].tolist()))
    places = choose(rejected, accepted)
    tails = (100 * how.tail, 100 * (1 - how.tail))
    floor_low, floor_high = np.percentile(np.asarray(floors)[places[1:]], tails, method="nearest")
    auc_low, auc_high = np.percentile(auc[1:], tails)
    return Curve(
        points=points,
        chosen=points[int(places[0])],
        floor_low=float(floor_low),
        floor_high=float(floor_high),
        auc=float(auc[0]),
        auc_low=float(auc_low),
        auc_high=float(auc_high),
    )


def _rates(
    scores: Scores, thresholds: "Matrix", weights: "Matrix", on_either_side: "tuple[Matrix, Matrix]"
) -> "tuple[Matrix, Matrix, Matrix]":
    """Return what is rejected of evidence, what is accepted of others, and the area, for weights of cases.

    A row is one of weights, a column a threshold; so many thresholds at a time that memory stays bounded.
    """
    evidence, others = on_either_side
    rejected, accepted = (np.empty((len(weights), len(thresholds))) for _ in range(2))
    auc = np.zeros(len(weights))
    for start in range(0, len(thresholds), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        below = _shares(scores.evidence, thresholds[some], "left")
        at = _shares(scores.evidence, thresholds[some], "right") - below
        others_below = weights @ _shares(scores.others, thresholds[some], "left") / others
        others_up_to = weights @ _shares(scores.others, thresholds[some], "right") / others
        rejected[:, some] = weights @ below / evidence
        accepted[:, some] = 1 - others_below
        auc += (weights @ at / evidence * (others_below + others_up_to) / 2).sum(axis=1)
    return rejected, accepted, auc


def _shares(scores: "Sequence[Matrix]", thresholds: "Matrix", side: Literal["left", "right"]) -> "Matrix":
    """Return which share of the scores of each case lies below each threshold (``right``: or at it)."""
    rows = np.zeros((len(scores), len(thresholds)))
    for row, one in zip(rows, scores, strict=True):
        if len(one):
            row[:] = np.searchsorted(np.sort(one), thresholds, side=side) / len(one)
    return rows


def _floors(thresholds: "Matrix", scores: Scores) -> list[float]:
    """Return for each threshold a short number that does the same: above the next lower score, not above this one."""
    every = np.unique(np.concatenate([*scores.evidence, *scores.others]))
    places = np.searchsorted(every, thresholds)
    return [
        _short(-math.inf if place == 0 else float(every[place - 1]), float(threshold))
        for place, threshold in zip(places.tolist(), thresholds.tolist(), strict=True)
    ]


def _short(below: float, threshold: float) -> float:
    """Return the shortest decimal in (below, threshold], in the middle of it if there are several."""
    if math.isinf(below):
        return _floored(threshold, _LEAST_DIGITS)
    middle = below + (threshold - below) / 2
    for digits in range(_LEAST_DIGITS, _MOST_DIGITS):
        for near in (round(middle, digits), _floored(threshold, digits)):
            if below < near <= threshold:
                return near
    return threshold


def _floored(number: float, digits: int) -> float:
    """Round down."""
    near = round(number, digits)
    return near if near <= number else round(near - 10.0**-digits, digits)
