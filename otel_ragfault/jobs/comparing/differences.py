"""Mean paired changes: of all cases, and of slices of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from otel_ragfault.jobs.comparing.figures import Figure, measure_figure
from otel_ragfault.jobs.comparing.result import CaseChange, Difference, PassTest
from otel_ragfault.statistics import (
    Resampling,
    aligned,
    benjamini_hochberg,
    holm,
    mcnemar,
    paired_change,
    sign_flips,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from otel_ragfault.model.comparing import ComparingConfig

    Vector = NDArray[np.float64]

SLICED: Final = ("passed", "retrieved", "grounded", "cited")
"""The measures of slices."""

_CORRECTIONS: "Final[dict[str, Callable[[Sequence[float]], list[float]]]]" = {
    "holm": holm,
    "benjamini_hochberg": benjamini_hochberg,
}


def values_of(cases: Sequence[CaseChange], figure: Figure) -> "tuple[list[str], Vector, Vector]":
    """Return the ids of the cases and their values on both sides; NaN where a case has none."""
    sides = [
        np.array([np.nan if (value := figure.value(state)) is None else value for state in states], dtype=np.float64)
        for states in ([case.before for case in cases], [case.after for case in cases])
    ]
    return [case.case_id for case in cases], sides[0], sides[1]


def difference(cases: Sequence[CaseChange], figure: Figure, how: Resampling) -> Difference:
    """Return the mean paired change of a figure."""
    ids, before, after = values_of(cases, figure)
    found = paired_change(ids, before, after, how)
    known, first, second = aligned(ids, before, after)
    return Difference(
        figure.name,
        found.cases,
        found.before,
        found.after,
        found.change,
        found.low,
        found.high,
        p_value=sign_flips(second - first, how.seed) if known else None,
        left_out=found.left_out,
    )


def slice_differences(
    slices: dict[str, list[CaseChange]], how: Resampling, config: "ComparingConfig"
) -> list[Difference]:
    """Return the changes of each slice; p-values are corrected for the number of slices, measure by measure."""
    result: list[Difference] = []
    for name in SLICED:
        figure = measure_figure(name)
        found = [replace(difference(members, figure, how), slice=label) for label, members in slices.items()]
        found = [one for one in found if one.p_value is not None]
        adjusted = _CORRECTIONS[config.correction]([one.p_value or 0.0 for one in found])
        result += [replace(one, adjusted_p=p_value) for one, p_value in zip(found, adjusted, strict=True)]
    order = list(slices)
    return sorted(result, key=lambda one: order.index(one.slice or ""))


def pass_test(cases: Sequence[CaseChange]) -> PassTest:
    """Return the exact McNemar test of pass against fail."""
    known = [
        (case.before.passed, case.after.passed)
        for case in cases
        if case.before.passed is not None and case.after.passed is not None
    ]
    counts = {pair: known.count(pair) for pair in [(True, True), (False, False), (True, False), (False, True)]}
    return PassTest(
        both_pass=counts[True, True],
        both_fail=counts[False, False],
        only_before=counts[True, False],
        only_after=counts[False, True],
        p_value=mcnemar(counts[True, False], counts[False, True]),
        left_out=len(cases) - len(known),
    )
