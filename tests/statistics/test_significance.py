"""Tests of a paired change and their corrections, against independent references."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from otel_ragfault.statistics import benjamini_hochberg, holm, mcnemar, sign_flips

SHARES = st.lists(st.floats(0, 1), max_size=30)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_two_sided_binomial_test_of_the_changed_cases(before, after):
    wanted = stats.binomtest(before, before + after).pvalue if before + after else 1.0
    assert mcnemar(before, after) == pytest.approx(wanted, rel=1e-8, abs=1e-300)
    assert mcnemar(before, after) == mcnemar(after, before)


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        pytest.param(0, 0, 1.0, id="nothing changed"),
        pytest.param(0, 5, 0.0625, id="five of five: 2/32"),
        pytest.param(0, 6, 0.03125, id="six of six: 2/64"),
        pytest.param(1, 7, 2 * 9 / 256, id="seven of eight"),
        pytest.param(4, 4, 1.0, id="as many either way"),
    ],
)
def test_mcnemar_by_hand(before, after, wanted):
    assert mcnemar(before, after) == pytest.approx(wanted)


def test_flips_are_the_permutation_test_of_scipy_where_all_patterns_are_looked_at():
    differences = np.array([0.5, -0.25, 0.5, 0.0, 1.0, 0.25, 0.5, -0.5, 0.75])
    wanted = stats.permutation_test(
        (differences, np.zeros(len(differences))),
        lambda one, other: np.mean(one - other),
        permutation_type="samples",
        n_resamples=np.inf,
    ).pvalue
    assert sign_flips(differences) == pytest.approx(wanted)


def test_random_flips_agree_with_the_whole_enumeration():
    rng = np.random.default_rng(4)
    differences = rng.beta(2, 2, 18) - 0.38
    signs = np.array(list(itertools.product([-1, 1], repeat=18)), dtype=np.int8)
    wanted = (np.abs(signs @ np.abs(differences)) >= abs(differences.sum()) - 1e-9).mean()
    assert sign_flips(differences) == pytest.approx(wanted, abs=0.015)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=60))
def test_flips_of_pass_and_fail_are_mcnemar(differences):
    counts = (differences.count(-1.0), differences.count(1.0))
    assert sign_flips(np.array(differences)) == mcnemar(*counts)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), max_size=40))
def test_flips_do_not_know_which_side_comes_first(differences):
    assert sign_flips(np.array(differences)) == sign_flips(-np.array(differences))


def test_under_no_change_flips_raise_no_more_alarms_than_they_say():
    rng = np.random.default_rng(6)
    alarms = sum(sign_flips(rng.choice([-0.5, 0.25, -0.25, 0.5], 12)) < 0.05 for _ in range(1_000))
    assert alarms / 1_000 <= 0.065


@given(SHARES)
def test_benjamini_hochberg_is_that_of_scipy(p_values):
    wanted = stats.false_discovery_control(p_values) if p_values else []
    assert benjamini_hochberg(p_values) == pytest.approx(list(wanted))


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(SHARES)
def test_holm_keeps_the_order_and_lies_between_no_correction_and_bonferroni(p_values):
    adjusted = holm(p_values)
    for p_value, after in zip(p_values, adjusted, strict=True):
        assert p_value <= after <= min(1, p_value * len(p_values)) + 1e-12
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert [after for _, after in pairs] == sorted(adjusted)
