"""Bootstrap intervals of means over cases: how far a mean would move if other cases had been asked.

The Poisson bootstrap: in each replicate a case counts w times, with w drawn from the Poisson distribution of mean 1.
The draws of a case follow from the seed and its id alone. So every measure and every group is resampled alike, which
makes their differences comparable, and an interval depends neither on the order of the cases nor on what else was
measured.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from otel_ragfault.statistics.resampling import Resampling

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

_LEVELS: Final = 2**16  # a draw is two bytes
_MOST: Final = 8  # the probability of more is below one level
_AT_ONCE: Final = 2_048  # cases whose draws are held as numbers at the same time
_FEWEST: Final = 2  # cases without which there is nothing to resample


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over cases with its interval. ``cases`` have a value; the interval is ``None`` for fewer than two."""

    mean: float | None
    low: float | None
    high: float | None
    cases: int


def means(case_ids: Sequence[str], values: "Matrix", how: Resampling) -> list[Mean]:
    """Return the mean of each column and its percentile interval.

    Args:
        case_ids: the cases, each once.
        values: a row a case; NaN where a case has no value, which leaves it out of that column.
        how: seed, replicates and confidence.
    """
    replicated = _replicated(case_ids, values, how)
    tail = 100 * (1 - how.confidence) / 2
    result = []
    for column, resampled in zip(values.T, replicated.T, strict=True):
        known = column[~np.isnan(column)]
        if len(known) < _FEWEST:
            result.append(Mean(float(known[0]) if len(known) else None, None, None, len(known)))
            continue
        low, high = np.percentile(resampled[~np.isnan(resampled)], (tail, 100 - tail))
        result.append(Mean(float(known.mean()), float(low), float(high), len(known)))
    return result


def _replicated(case_ids: Sequence[str], values: "Matrix", how: Resampling) -> "Matrix":
    """Return the mean of each column in each replicate; NaN where no case of it was drawn."""
    sums = np.zeros((how.replicates, values.shape[1]))
    weights = np.zeros_like(sums)
    for start in range(0, len(case_ids), _AT_ONCE):
        block = values[start : start + _AT_ONCE]
        known = ~np.isnan(block)
        drawn = case_draws(case_ids[start : start + _AT_ONCE], how).T
        sums += drawn @ np.where(known, block, 0)
        weights += drawn @ known
    return np.divide(sums, weights, out=np.full_like(sums, np.nan), where=weights > 0)


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
