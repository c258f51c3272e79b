"""Quantiles of Student's t distribution, without scipy."""

import math
from functools import cache
from statistics import NormalDist
from typing import Final

_EXACT: Final = 100  # degrees of freedom up to which the distribution is summed
_HALVINGS: Final = 80

_normal: Final = NormalDist()


@cache
def t_quantile(share: float, degrees: int) -> float:
    """Return the quantile of a share from 0.5 up, for a whole number of degrees of freedom.

    M. Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964): the finite sums 26.7.3 and 26.7.4, and for
    more than 100 degrees of freedom the expansion 26.7.5.
    """
    if degrees > _EXACT:
        return _expanded(_normal.inv_cdf(share), degrees)
    low, high = 0.0, 1.0
    while _below(high, degrees) < share:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _below(middle, degrees) < share else (low, middle)
    return (low + high) / 2


def _expanded(normal: float, degrees: int) -> float:
    first = (normal**3 + normal) / 4
    second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    third = (3 * normal**7 + 19 * normal**5 + 17 * normal**3 - 15 * normal) / 384
    return normal + first / degrees + second / degrees**2 + third / degrees**3


def _below(value: float, degrees: int) -> float:
    """Return the probability of less than a value that is not negative."""
    angle = math.atan(value / math.sqrt(degrees))
    cosine = math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for step in range(1, (degrees - odd) // 2):
        term *= cosine**2 * (2 * step - 1 + odd) / (2 * step + odd)
        total += term
    between = 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total
    return 0.5 + between / 2
