"""Corrections for several tests: against scipy, by hand, and in simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otel_ragfault.statistics.drops import changed_p_value
from otel_ragfault.statistics.families import adjusted_p_values, counted_tests

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        pytest.param("none", [0.01, 0.04, 0.03], id="none"),
        pytest.param("bonferroni", [0.03, 0.12, 0.09], id="bonferroni"),
        pytest.param("holm", [0.03, 0.06, 0.06], id="holm"),
        pytest.param("tarone", [0.03, 0.12, 0.09], id="tarone without knowing more is bonferroni"),
    ],
)
def test_a_table_that_can_be_checked_by_hand(method, expected):
    assert adjusted_p_values([0.01, 0.04, 0.03], method) == pytest.approx(expected)


def test_tests_that_could_raise_no_alarm_take_nothing_from_the_others():
    # Six cases became worse in one figure, two changed in another, none in a third.
    found = adjusted_p_values([1 / 64, 1 / 4, 1.0], "tarone", least=[1 / 64, 1 / 4, 1.0], rate=0.05)
    assert found == pytest.approx([1 / 64, 1.0, 1.0])
    assert adjusted_p_values([1 / 64, 1 / 4, 1.0], "bonferroni")[0] == pytest.approx(3 / 64)


@settings(deadline=None)
@given(p_values)
def test_no_correction_makes_a_p_value_smaller_and_holm_is_never_above_bonferroni(values):
    holm, bonferroni = adjusted_p_values(values, "holm"), adjusted_p_values(values, "bonferroni")
    assert all(one <= two <= three for one, two, three in zip(values, holm, bonferroni, strict=True))


@settings(deadline=None)
@given(p_values, st.floats(0.001, 0.5))
def test_the_share_of_tarone_is_the_largest_that_enough_tests_fit_into(least, rate):
    count = counted_tests(least, rate)
    assert 1 <= count <= len(least)
    assert sum(low <= rate / count for low in least) <= count
    assert count == 1 or sum(low <= rate / (count - 1) for low in least) > count - 1


@pytest.mark.parametrize("method", ["tarone", "holm", "bonferroni"])
def test_figures_of_the_same_cases_together_alarm_no_more_often_than_declared(method):
    # Nothing changes: the labels of a case before and after are drawn alike, and the figures share their cases.
    rate, draws = 0.05, np.random.default_rng(11)
    alarms = 0
    for _ in range(1_500):
        before, after = draws.choice(5, size=(2, 60), p=[0.6, 0.1, 0.1, 0.1, 0.1])
        changed = [
            (int(((after == label) & (before != label)).sum()), int(((before == label) & (after != label)).sum()))
            for label in range(1, 5)
        ]
        changed.append((int(((before == 0) & (after != 0)).sum()), int(((before != 0) & (after == 0)).sum())))
        found = [changed_p_value(worse, better, 60) for worse, better in changed]
        least = [changed_p_value(worse + better, 0, 60) for worse, better in changed]
        alarms += min(adjusted_p_values(found, method, least=least, rate=rate)) <= rate
    assert alarms / 1_500 <= rate + 2 * np.sqrt(rate * (1 - rate) / 1_500)
