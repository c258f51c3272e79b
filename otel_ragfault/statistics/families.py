"""Several tests at once: p-values corrected so that one false alarm among them all stays as rare as declared."""

from collections.abc import Sequence
from typing import Final, Literal

from otel_ragfault.statistics.significance import holm

Method = Literal["tarone", "holm", "bonferroni", "none"]

_ALMOST: Final = 1 + 1e-12  # what rounding adds


def adjusted_p_values(
    p_values: Sequence[float], method: Method, *, least: Sequence[float] | None = None, rate: float = 0.05
) -> list[float]:
    """Return the p-values, each to be held against the declared rate.

    Args:
        p_values: of the tests.
        method: ``bonferroni`` multiplies by the number of tests; ``holm`` by the number that is left, the smallest
            first; ``tarone`` by the number of tests that could reach the rate at all; ``none`` leaves them.
        least: for ``tarone``, the smallest p-value that each test could have had, given what does not tell which way
            the cases changed: how many did.
        rate: for ``tarone``, the rate of false alarms.
    """
    if method == "none":
        return list(p_values)
    if method == "bonferroni":
        return [min(1.0, p_value * len(p_values)) for p_value in p_values]
    if method == "holm":
        return holm(p_values)
    reachable = least if least is not None else [0.0] * len(p_values)
    count = counted_tests(reachable, rate)
    return [
        min(1.0, p_value * count) if low <= rate / count * _ALMOST else 1.0
        for p_value, low in zip(p_values, reachable, strict=True)
    ]


def counted_tests(least: Sequence[float], rate: float) -> int:
    """Return by how many tests the rate has to be shared, after Tarone (1990): at least one.

    A test that cannot reach its share whatever the cases say raises no alarm, and takes nothing from the others.
    """
    count = 1
    while sum(low <= rate / count * _ALMOST for low in least) > count:
        count += 1
    return count
