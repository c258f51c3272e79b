"""How many cases a paired comparison takes."""

import math
from statistics import NormalDist
from typing import Final

_normal: Final = NormalDist()


def _quantiles(confidence: float, power: float) -> tuple[float, float]:
    return _normal.inv_cdf(1 - (1 - confidence) / 2), _normal.inv_cdf(power)


def cases_for_proportions(gained: float, lost: float, *, confidence: float = 0.95, power: float = 0.8) -> int | None:
    """Return how many cases show a change of a paired proportion; ``None`` where there is no change to be shown.

    R. J. Connor, Biometrics 43 (1987): with ψ = gained + lost and δ = gained - lost,
    n = (z_level √ψ + z_power √(ψ - δ²))² / δ².

    Args:
        gained: the share of cases that fail before and pass after.
        lost: the share of cases that pass before and fail after.
        confidence: one less the level of the two-sided test.
        power: how often the change is to be found.
    """
    changed, change = gained + lost, gained - lost
    if change == 0:
        return None
    level, found = _quantiles(confidence, power)
    root = level * math.sqrt(changed) + found * math.sqrt(max(0.0, changed - change**2))
    return math.ceil(root**2 / change**2)


def cases_for_mean(change: float, deviation: float, *, confidence: float = 0.95, power: float = 0.8) -> int | None:
    """Return how many cases show a mean paired change; ``None`` where there is no change to be shown.

    The normal approximation for one mean (J. Cohen, Statistical Power Analysis, 1988, chapter 2):
    n = ((z_level + z_power) · deviation / change)².

    Args:
        change: the mean change, or its distance from what it is held against.
        deviation: the standard deviation of the changes of single cases.
        confidence: one less the level of the two-sided test.
        power: how often the change is to be found.
    """
    if change == 0:
        return None
    return max(2, math.ceil((sum(_quantiles(confidence, power)) * deviation / change) ** 2))


def cases_without_change(amount: float, *, confidence: float = 0.95) -> int:
    """Return how many cases, none of which changes, show that the change is below an amount.

    The interval of no changed case among n is ± z √2 / (n + 2), as D. Bonett and R. Price (2012) adjust it.
    """
    level, _ = _quantiles(confidence, 0.5)
    return max(2, math.ceil(level * math.sqrt(2) / amount - 2))
