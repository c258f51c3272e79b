"""Tests of a paired change, and corrections for many of them."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

_ENUMERATED: Final = 14  # changed cases up to which every pattern of signs is looked at
_FLIPS: Final = 9_999
_AT_ONCE: Final = 4_000_000
_EQUAL: Final = 1e-9


def mcnemar(only_before: int, only_after: int) -> float:
    """Return the two-sided p-value of the exact McNemar test.

    Under no change, each case that passes on one side only is as likely to pass before as after: the counts follow the
    binomial distribution with probability 1/2 (Q. McNemar, Psychometrika 12, 1947; exact form: A. Agresti, Categorical
    Data Analysis, 2nd edition, section 10.1). Twice the smaller tail, 1 at most.

    Args:
        only_before: cases that pass before only.
        only_after: cases that pass after only.
    """
    changed = only_before + only_after
    scale = math.lgamma(changed + 1) - changed * math.log(2)
    tail = math.fsum(
        math.exp(scale - math.lgamma(one + 1) - math.lgamma(changed - one + 1))
        for one in range(min(only_before, only_after) + 1)
    )
    return min(1.0, 2 * tail)


def sign_flips(differences: "Vector", seed: int = 1) -> float:
    """Return the two-sided p-value of the randomization test of a mean paired change.

    Under no change the sign of each difference is a toss of a coin (R. A. Fisher, The Design of Experiments, 1935,
    section 21; for measures of retrieval: M. Smucker, J. Allan and B. Carterette, CIKM 2007). For differences of -1, 0
    and 1 that is the exact McNemar test. Else all patterns of signs are looked at where at most 14 cases changed, and
    9,999 random ones beyond that.

    Args:
        differences: one a case, in an order that does not depend on their values.
        seed: of the random patterns.
    """
    changed = differences[np.abs(differences) > _EQUAL]
    sizes = np.abs(changed)
    if not len(changed) or bool((np.abs(sizes - sizes[0]) <= _EQUAL).all()):
        return mcnemar(int((changed < 0).sum()), int((changed > 0).sum()))
    observed = abs(float(changed.sum())) - _EQUAL
    if len(changed) <= _ENUMERATED:
        patterns = (np.arange(2 ** len(changed))[:, None] >> np.arange(len(changed))) & 1
        return float((np.abs((2 * patterns - 1) @ sizes) >= observed).mean())
    generator = np.random.default_rng(seed)
    rows = max(1, _AT_ONCE // len(sizes))
    extreme = 0
    for start in range(0, _FLIPS, rows):
        signs = 2 * generator.integers(0, 2, size=(min(rows, _FLIPS - start), len(sizes)), dtype=np.int8) - 1
        extreme += int((np.abs(signs @ sizes) >= observed).sum())
    return (extreme + 1) / (_FLIPS + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected so that a single false alarm among all is as rare as it says.

    S. Holm, Scandinavian Journal of Statistics 6 (1979): the smallest is multiplied by their number, the next by one
    less, and so on; none is smaller than one before it.
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, position in enumerate(order):
        largest = max(largest, min(1.0, p_values[position] * (len(p_values) - place)))
        adjusted[position] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected so that the expected share of false alarms among the alarms is as it says.

    Y. Benjamini and Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995).
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    adjusted = [0.0] * len(p_values)
    smallest = 1.0
    for place, position in enumerate(order):
        smallest = min(smallest, p_values[position] * len(p_values) / (len(p_values) - place))
        adjusted[position] = smallest
    return adjusted
