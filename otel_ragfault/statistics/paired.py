"""The mean paired change and its bootstrap interval: how far it would move if other cases had been asked.

A case is drawn with both of its values, so that the resampled indices of both sides are the same; what is resampled is
the differences. Cases are ordered by id before they are drawn, so that an interval depends neither on their order nor
on which side comes first: exchanging the sides mirrors it. Measures of the same cases are resampled alike.

Three methods. ``percentile`` and ``bca`` are those of B. Efron and R. Tibshirani, An Introduction to the Bootstrap
(1993), chapters 13 and 14, as ``scipy.stats.bootstrap(paired=True)`` has them. Neither holds what it promises for few
cases, and least where few of them changed (``benchmarks/intervals.py`` measures it).

``best``, the default, is on either side the wider of two: Student's t, which holds where changes are many and even, and
the studentized bootstrap (chapter 12), which holds where they are few and skewed. Both take the error as if two more
cases had been asked, one above and one below the mean by as much as a changed case changes (the root of the mean square
of the changes that are not 0, and 1 where nothing changed): from few changed cases the error is underestimated, and
from none it would be 0. For pass and fail that is close to the adjustment of D. Bonett and R. Price, Journal of
Educational and Behavioral Statistics 37 (2012). A replicate's error counts as half of the sample's at least, and the
interval is kept within what a measure from 0 to 1 can change by.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from otel_ragfault.statistics.resampling import Resampling
from otel_ragfault.statistics.student import t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]
    Indices = NDArray[np.int64]

_FEWEST: Final = 2  # cases without which there is nothing to resample
_AT_ONCE: Final = 4_000_000  # indices that are held at the same time
_EQUAL: Final = 1e-12
_NO_SPREAD: Final = 1e-18
_NO_ERROR: Final = 1e-12
_LEAST_ERROR: Final = 0.5  # of a replicate, as a part of the sample's
_LARGEST: Final = 1.0  # change of a measure from 0 to 1

_normal: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class PairedChange:
    """The means of both sides over the ``cases`` that have a value on both, and the mean change with its interval.

    ``left_out`` counts the cases that lack a value. The interval is ``None`` for fewer than two cases.
    """

    cases: int
    before: float | None
    after: float | None
    change: float | None
    low: float | None
    high: float | None
    left_out: int = 0


def paired_change(
    case_ids: Sequence[str], before: "Vector", after: "Vector", how: Resampling | None = None
) -> PairedChange:
    """Return the mean change from ``before`` to ``after`` over cases, with its interval.

    Args:
        case_ids: the cases, each once.
        before: a value a case, from 0 to 1; NaN where a case has none.
        after: the same of the other side.
        how: seed, replicates, confidence and method.
    """
    known, first, second = aligned(case_ids, before, after)
    left_out = len(case_ids) - known
    if not known:
        return PairedChange(0, None, None, None, None, None, left_out)
    differences = second - first
    means = (float(first.mean()), float(second.mean()), float(differences.mean()))
    if known < _FEWEST:
        return PairedChange(known, *means, None, None, left_out)
    low, high = _METHODS[(how or Resampling()).method](differences, how or Resampling())
    return PairedChange(known, *means, low, high, left_out)


def aligned(case_ids: Sequence[str], before: "Vector", after: "Vector") -> "tuple[int, Vector, Vector]":
    """Return how many cases have both values, and these values in the order of the ids."""
    order = sorted(range(len(case_ids)), key=case_ids.__getitem__)
    first, second = np.asarray(before, dtype=np.float64)[order], np.asarray(after, dtype=np.float64)[order]
    known = ~(np.isnan(first) | np.isnan(second))
    return int(known.sum()), first[known], second[known]


def draws(size: int, how: Resampling) -> "Iterator[Indices]":
    """Yield blocks of replicates: rows of ``size`` indices each, the same for every sample of that size."""
    generator = np.random.default_rng(how.seed)
    rows = max(1, _AT_ONCE // size)
    for start in range(0, how.replicates, rows):
        yield generator.integers(0, size, size=(min(rows, how.replicates - start), size))


def _means(sample: "Vector", how: Resampling) -> "Vector":
    return np.concatenate([sample[drawn].mean(axis=1) for drawn in draws(len(sample), how)])


def _percentile(sample: "Vector", how: Resampling) -> tuple[float, float]:
    return _between(_means(sample, how), how.tail, 1 - how.tail)


def _bca(sample: "Vector", how: Resampling) -> tuple[float, float]:
    """Corrected for bias and for acceleration; a sample without spread, or without draws on one side, has no width."""
    mean = float(sample.mean())
    replicated = _means(sample, how)
    below = float((replicated < mean - _EQUAL).mean() + (np.abs(replicated - mean) <= _EQUAL).mean() / 2)
    centred = sample - mean
    squares = float((centred**2).sum())
    if squares <= _NO_SPREAD or not 0 < below < 1:
        return mean, mean
    bias = _normal.inv_cdf(below)
    acceleration = float((centred**3).sum()) / (6 * squares**1.5)

    def corrected(share: float) -> float:
        point = bias + _normal.inv_cdf(share)
        return _normal.cdf(bias + point / (1 - acceleration * point))

    return _between(replicated, corrected(how.tail), corrected(1 - how.tail))


def _best(sample: "Vector", how: Resampling) -> tuple[float, float]:
    """The wider of two on either side; the two added cases are drawn in both orders, so that sides can be exchanged."""
    changed = sample[sample != 0]
    typical = math.sqrt(float((changed**2).mean())) if len(changed) else _LARGEST
    mean = float(sample.mean())
    one_way, other_way = (np.append(sample, (mean + sign * typical, mean - sign * typical)) for sign in (1, -1))
    error = float(one_way.std()) / math.sqrt(len(one_way))
    studentized = np.concatenate([_studentized(one_way, mean, error, how), _studentized(other_way, mean, error, how)])
    low, high = _between(studentized, how.tail, 1 - how.tail)
    student = t_quantile(1 - how.tail, len(sample) - 1)
    return max(-_LARGEST, mean - max(high, student) * error), min(_LARGEST, mean + max(-low, student) * error)


def _studentized(sample: "Vector", mean: float, error: float, how: Resampling) -> "Vector":
    """Return how many of its own standard errors the mean of each replicate lies from the mean of the sample."""
    found = []
    for drawn in draws(len(sample), how):
        replicate = sample[drawn]
        errors = np.maximum(replicate.std(axis=1) / math.sqrt(len(sample)), max(_LEAST_ERROR * error, _NO_ERROR))
        found.append((replicate.mean(axis=1) - mean) / errors)
    return np.concatenate(found)


def _between(replicated: "Vector", low: float, high: float) -> tuple[float, float]:
    found = np.quantile(replicated, (low, high))
    return float(found[0]), float(found[1])


_METHODS: "Final[dict[str, Callable[[Vector, Resampling], tuple[float, float]]]]" = {
    "best": _best,
    "bca": _bca,
    "percentile": _percentile,
}
