"""Bootstrap intervals of means over cases: how far a mean would move if other cases had been asked.

The Poisson bootstrap: in each replicate a case counts w times, with w drawn from the Poisson distribution of mean 1.
The draws of a case follow from the seed and its id alone. So every measure and every group is resampled alike, which
makes their differences comparable, and an interval depends neither on the order of the cases nor on what else was
measured.

``percentile`` takes the percentiles of the replicates, which is too narrow for few cases, and most where a mean is near
0 or 1. ``best`` is made as that of :mod:`otel_ragfault.statistics.paired`: on either side the wider of Student's t and
the studentized bootstrap, with two cases that were not asked, one above and one below the mean by as much as a case
that is not the median lies from it (the root of the mean square; 1 where all are equal), both within 0 and 1. For hits
and misses these are a hit and a miss, as in the interval of A. Agresti and B. Coull, The American Statistician 52
(1998).
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from otel_ragfault.statistics.resampling import Resampling
from otel_ragfault.statistics.student import t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

_LEVELS: Final = 2**16  # a draw is two bytes
_MOST: Final = 8  # the probability of more is below one level
_AT_ONCE: Final = 2_048  # cases whose draws are held as numbers at the same time
_LEAST_ERROR: Final = 0.5  # of a replicate, as a part of the sample's
_NO_ERROR: Final = 1e-12
_ADDED: Final = ("\0above", "\0below")  # cases that were not asked; no id begins so
_FEWEST: Final = 2  # cases without which there is nothing to resample


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over cases with its interval. ``cases`` have a value; the interval is ``None`` for fewer than two."""

    mean: float | None
    low: float | None
    high: float | None
    cases: int


def means(case_ids: Sequence[str], values: "Matrix", how: Resampling) -> list[Mean]:
    """Return the mean of each column and its interval.

    Args:
        case_ids: the cases, each once.
        values: a row a case, from 0 to 1; NaN where a case has no value, which leaves it out of that column.
        how: seed, replicates, confidence and method; any method but ``percentile`` is ``best``.
    """
    totals = _replicated(case_ids, values, how)
    result = []
    for place, column in enumerate(values.T):
        known = column[~np.isnan(column)]
        if len(known) < _FEWEST:
            result.append(Mean(float(known[0]) if len(known) else None, None, None, len(known)))
            continue
        of_column = _Totals(*(total[:, place] for total in totals))
        low, high = _percentiles(of_column, how) if how.method == "percentile" else _best(known, of_column, how)
        result.append(Mean(float(known.mean()), low, high, len(known)))
    return result


class _Totals(NamedTuple):
    """Of each replicate: how often cases count, and the sums of their values and of the squares of these."""

    weights: "Matrix"
    sums: "Matrix"
    squares: "Matrix"


def _percentiles(totals: _Totals, how: Resampling) -> tuple[float, float]:
    drawn = totals.weights > 0
    low, high = np.quantile(totals.sums[drawn] / totals.weights[drawn], (how.tail, 1 - how.tail))
    return float(low), float(high)


def _best(known: "Matrix", totals: _Totals, how: Resampling) -> tuple[float, float]:
    away = known - np.quantile(known, 0.5, method="inverted_cdf")
    away = away[away != 0]
    typical = math.sqrt(float((away**2).mean())) if len(away) else 1.0
    added = np.clip(known.mean() + np.array([typical, -typical]), 0, 1)
    sample = np.append(known, added)
    centre, error = float(sample.mean()), float(sample.std()) / math.sqrt(len(sample))
    weights, sums, squares = (total + more for total, more in zip(totals, _added(added, how), strict=True))
    weights = np.maximum(weights, 1)
    replicated = sums / weights
    errors = np.sqrt(np.maximum(squares / weights - replicated**2, 0) / weights)
    floor = max(_LEAST_ERROR * error, _NO_ERROR)
    low, high = np.quantile((replicated - centre) / np.maximum(errors, floor), (how.tail, 1 - how.tail))
    student = t_quantile(1 - how.tail, len(known) - 1)
    return max(0.0, centre - max(float(high), student) * error), min(1.0, centre + max(-float(low), student) * error)


def _added(values: "Matrix", how: Resampling) -> _Totals:
    drawn = case_draws(_ADDED, how).T
    return _Totals(drawn.sum(axis=1), drawn @ values, drawn @ values**2)


def _replicated(case_ids: Sequence[str], values: "Matrix", how: Resampling) -> _Totals:
    """Return the totals of each column in each replicate."""
    totals = _Totals(*(np.zeros((how.replicates, values.shape[1])) for _ in _Totals._fields))
    for start in range(0, len(case_ids), _AT_ONCE):
        block = values[start : start + _AT_ONCE]
        known = ~np.isnan(block)
        filled = np.where(known, block, 0)
        drawn = case_draws(case_ids[start : start + _AT_ONCE], how).T
        for total, of_block in zip(totals, (known, filled, filled**2), strict=True):
            np.add(total, drawn @ of_block, out=total)
    return totals


def case_draws(case_ids: Sequence[str], how: Resampling) -> "Matrix":
    """Return how often each case counts in each replicate: a row a case."""
    size = 2 * how.replicates
    stream = b"".join(hashlib.shake_256(f"{how.seed}\0{case_id}".encode()).digest(size) for case_id in case_ids)
    levels = np.frombuffer(stream, dtype="<u2").reshape(len(case_ids), how.replicates)
    drawn: Matrix = _POISSON[levels]
    return drawn


def _poisson_table() -> "Matrix":
    """Return the draw that each level of two bytes stands for."""
    shares = np.cumsum([math.exp(-1) / math.factorial(times) for times in range(_MOST)])
    return np.searchsorted(shares, (np.arange(_LEVELS) + 0.5) / _LEVELS).astype(np.float64)


_POISSON: Final = _poisson_table()
