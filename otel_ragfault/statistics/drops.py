"""How surprising a drop over paired cases is if there is none: one-sided tests that hold at any number of cases.

A case has a value before and after. If nothing has changed, the two are draws of the same thing, and each difference
could as well have had the other sign.

- Values that are 0 or 1: the exact McNemar test, one-sided. Of the cases that changed, half should have become worse.
- With a tolerance, the drop may be that large in truth. The test is unconditional: the worst over how often cases
  change at all, which is itself limited to an interval that misses the truth with a probability that is added
  (Berger and Boos, 1994).
- Other values: signs are flipped, all ways or a seeded sample of them. With a tolerance this supposes differences that
  lie about evenly around their mean.
"""

import math
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Vector = NDArray[np.float64]
    _Curve = Callable[[float], float]

_ALL_WAYS: Final = 14  # differences whose signs are flipped in all ways: 2^14
_FLIPS: Final = 19_999
_AT_ONCE: Final = 1_000  # flips that are held at the same time
_GRID: Final = 21  # shares of changing cases that are looked at
_MISSED: Final = 0.001  # probability that the share of changing cases is not among them
_CLOSE: Final = 1e-9  # sums that differ by less are equal
_STEPS: Final = 60  # halvings of an interval


def drop_p_value(drops: "Sequence[float]", *, tolerance: float = 0.0, seed: int = 1) -> float:
    """Return how likely a drop as large as this one is, if the true one is at most ``tolerance``.

    Args:
        drops: for each case the value before minus the value after.
        tolerance: the drop that is accepted, in the unit of the values.
        seed: of the flips, where there are too many ways to flip all signs.
    """
    if all(drop in {-1, 0, 1} for drop in drops):
        worse, better = sum(drop > 0 for drop in drops), sum(drop < 0 for drop in drops)
        return changed_p_value(worse, better, len(drops), tolerance=tolerance)
    return _flipped(np.asarray(drops, dtype=np.float64) - tolerance, seed)


@cache
def changed_p_value(worse: int, better: int, cases: int, *, tolerance: float = 0.0) -> float:
    """Return the p-value of a drop, of values that are 0 or 1, from the counts of cases that changed."""
    unchanged = binomial_tail(worse, worse + better, 0.5)
    if tolerance <= 0:
        return unchanged
    if worse - better <= cases * tolerance:
        return 1.0
    low, high = share_interval(worse + better, cases, 1 - _MISSED)
    worst = _worst(worse - better, cases, tolerance, low, high) + _MISSED
    return min(1.0, max(unchanged, worst))  # what is no surprise without a tolerance is none with it


def smallest_drop(better: int, cases: int, level: float, *, tolerance: float = 0.0) -> int | None:
    """Return how many cases have to become worse, beside those that became better, for a p-value of at most ``level``.

    ``None`` where even all other cases would not be enough.
    """
    low, high = 0, cases - better
    if high < 0 or changed_p_value(high, better, cases, tolerance=tolerance) > level:
        return None
    while low < high:
        middle = (low + high) // 2
        if changed_p_value(middle, better, cases, tolerance=tolerance) <= level:
            high = middle
        else:
            low = middle + 1
    return low


def binomial_tail(least: int, trials: int, chance: float) -> float:
    """Return the probability of at least ``least`` successes."""
    if least <= 0:
        return 1.0
    if least > trials or chance <= 0:
        return 0.0
    if chance >= 1:
        return 1.0
    counts = np.arange(least, trials + 1)
    logs = _log_factorials(trials)
    ways = logs[trials] - logs[counts] - logs[trials - counts]
    return min(1.0, float(np.exp(ways + counts * math.log(chance) + (trials - counts) * math.log1p(-chance)).sum()))


def share_interval(successes: int, trials: int, confidence: float) -> tuple[float, float]:
    """Return the exact two-sided interval of a share (Clopper and Pearson)."""
    tail = (1 - confidence) / 2
    low = _solved(lambda chance: binomial_tail(successes, trials, chance) - tail) if successes else 0.0
    high = (
        _solved(lambda chance: tail - (1 - binomial_tail(successes + 1, trials, chance))) if successes < trials else 1.0
    )
    return low, high


def _solved(rising: "_Curve") -> float:
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


@cache
def _log_factorials(most: int) -> "Vector":
    logs: Vector = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, most + 1)))))
    return logs


def _worst(drop: int, cases: int, tolerance: float, low: float, high: float) -> float:
    """Return the largest probability of a net drop of so many cases, over the shares of cases that change."""
    changing = np.linspace(max(low, tolerance), min(1.0, max(high, tolerance)), _GRID)[:, None]
    worse, better = (changing + tolerance) / 2, (changing - tolerance) / 2
    size = 1 << (2 * cases + 1).bit_length()
    turns = np.exp(2j * np.pi * np.arange(size) / size)[None, :]
    step = 1 - changing + worse * turns + better / turns  # the generating function of one case, on the unit circle
    chances = np.fft.fft(step**cases, axis=1).real / size  # of each net drop, those below zero from the end
    beyond = chances[:, drop : cases + 1].sum(axis=1)
    return float(np.clip(beyond, 0, 1).max())


def _flipped(drops: "Vector", seed: int) -> float:
    """Return the share of ways to flip signs that give a sum as large as the one that was seen."""
    moved = drops[drops != 0]
    seen = float(moved.sum()) - _CLOSE
    if len(moved) <= _ALL_WAYS:
        ways = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))[None, :]
        return float(((1 - 2 * (ways & 1)) @ moved >= seen).mean())
    draws = np.random.default_rng(seed)
    reached = 0
    for start in range(0, _FLIPS, _AT_ONCE):
        count = min(_AT_ONCE, _FLIPS - start)
        signs = 1 - 2.0 * draws.integers(0, 2, size=(count, len(moved)), dtype=np.int8)
        reached += int((signs @ moved >= seen).sum())
    return (1 + reached) / (1 + _FLIPS)
