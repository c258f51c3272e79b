"""One-sided tests of a drop, against scipy, against their definition and against simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from otel_ragfault.statistics.drops import (
    binomial_tail,
    changed_p_value,
    drop_p_value,
    share_interval,
    smallest_drop,
)

counts = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 200))


@settings(deadline=None)
@given(counts)
def test_without_tolerance_it_is_the_exact_mcnemar_test(changed):
    worse, better, same = changed
    expected = stats.binomtest(worse, worse + better, 0.5, alternative="greater").pvalue if worse + better else 1.0
    assert changed_p_value(worse, better, worse + better + same) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("drops", "p_value"),
    [
        pytest.param([], 1.0, id="no case"),
        pytest.param([0, 0, 0], 1.0, id="nothing changed"),
        pytest.param([1, 1, 1, 0], 1 / 8, id="three became worse"),
        pytest.param([1, 1, 1, -1], 5 / 16, id="three worse, one better"),
        pytest.param([-1, -1], 1.0, id="all better"),
        pytest.param([0.5, 0.25], 1 / 4, id="two shares became worse"),
        pytest.param([0.5, -0.25], 1 / 2, id="one more than the other"),
        pytest.param([0.5, -0.5], 3 / 4, id="as much better as worse"),
    ],
)
def test_small_samples_can_be_counted_by_hand(drops, p_value):
    assert drop_p_value(drops) == pytest.approx(p_value)


@settings(deadline=None)
@given(st.lists(st.integers(-8, 8).map(lambda eighths: eighths / 8), min_size=1, max_size=8))
def test_flipping_signs_counts_every_way(drops):
    ways = [
        sum(sign * drop for sign, drop in zip(signs, drops, strict=True))
        for signs in product((1, -1), repeat=len(drops))
    ]
    expected = sum(way >= sum(drops) for way in ways) / len(ways)
    assert drop_p_value(drops) == pytest.approx(expected, abs=1e-12)


def test_a_sample_of_flips_agrees_with_scipy_and_repeats_itself():
    drops = np.random.default_rng(7).normal(0.1, 0.4, size=60)
    theirs = stats.permutation_test(
        (drops,), np.sum, permutation_type="samples", alternative="greater", n_resamples=50_000, rng=1
    )
    assert drop_p_value(list(drops)) == pytest.approx(theirs.pvalue, abs=0.006)
    assert drop_p_value(list(drops), seed=5) == drop_p_value(list(drops), seed=5)


@pytest.mark.parametrize("changing", [0.12, 0.3, 0.8])
def test_a_drop_that_is_tolerated_alarms_no_more_often_than_declared(changing):
    cases, tolerance, level = 80, 0.1, 0.05
    worse, better = (changing + tolerance) / 2, (changing - tolerance) / 2
    drawn = np.random.default_rng(3).multinomial(cases, [worse, better, 1 - changing], size=4_000)
    p_values = [changed_p_value(int(lost), int(won), cases, tolerance=tolerance) for lost, won, _ in drawn]
    assert np.mean(np.asarray(p_values) <= level) <= level + 2 * np.sqrt(level * (1 - level) / len(drawn))


def test_values_that_lie_unevenly_alarm_no_more_often_than_declared():
    level, rounds = 0.05, 1_500
    draws = np.random.default_rng(4).beta(0.3, 2, size=(rounds, 2, 10)).round(2)  # mostly near 0, some large
    alarms = sum(drop_p_value(list(before - after)) <= level for before, after in draws)
    assert alarms / rounds <= level + 2 * np.sqrt(level * (1 - level) / rounds)


@settings(deadline=None)
@given(counts, st.floats(0.01, 0.3))
def test_more_tolerance_and_more_gains_never_make_a_drop_more_surprising(changed, tolerance):
    worse, better, same = changed
    cases = worse + better + same + 1
    p_value = changed_p_value(worse, better, cases, tolerance=tolerance)
    assert changed_p_value(worse, better, cases) <= p_value + 1e-9
    assert p_value <= changed_p_value(worse, better + 1, cases, tolerance=tolerance) + 2e-3


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(1, 120), st.floats(0.001, 0.3))
def test_the_smallest_drop_is_significant_and_one_less_is_not(better, cases, level):
    least = smallest_drop(better, cases, level)
    if least is None:
        assert better > cases or changed_p_value(cases - better, better, cases) > level
        return
    assert changed_p_value(least, better, cases) <= level
    assert least == 0 or changed_p_value(least - 1, better, cases) > level


@settings(deadline=None)
@given(st.integers(0, 50), st.integers(0, 50), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(successes, failures, confidence):
    trials = successes + failures + 1
    expected = stats.binomtest(successes, trials).proportion_ci(confidence)
    assert share_interval(successes, trials, confidence) == pytest.approx((expected.low, expected.high), abs=1e-9)


@settings(deadline=None)
@given(st.integers(-1, 30), st.integers(0, 28), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_a_tail_is_that_of_the_binomial_distribution(least, trials, chance):
    assert binomial_tail(least, trials, chance) == pytest.approx(stats.binom.sf(least - 1, trials, chance), abs=1e-12)
