"""The number of cases that a comparison takes: by hand, and held against what a simulation finds."""

import numpy as np
import pytest
from scipy import stats

from otel_ragfault.statistics import cases_for_mean, cases_for_proportions


@pytest.mark.parametrize(
    ("gained", "lost", "wanted"),
    [
        # psi 0.3, delta 0.1: (1.95996 * 0.54772 + 0.84162 * 0.53852) ** 2 / 0.01 = 233.3
        pytest.param(0.2, 0.1, 234, id="a fifth gained, a tenth lost"),
        # psi 0.1, delta 0.1: (1.95996 * 0.31623 + 0.84162 * 0.3) ** 2 / 0.01 = 76.2
        pytest.param(0.1, 0.0, 77, id="only gained"),
        pytest.param(0.1, 0.2, 234, id="the same the other way round"),
        pytest.param(0.1, 0.1, None, id="no change"),
        pytest.param(0.0, 0.0, None, id="nothing moved"),
    ],
)
def test_the_formula_for_proportions_by_hand(gained, lost, wanted):
    assert cases_for_proportions(gained, lost) == wanted


@pytest.mark.parametrize(
    ("change", "deviation", "wanted"),
    [
        # (2.80159 * 0.5 / 0.1) ** 2 = 196.2
        pytest.param(0.1, 0.5, 197, id="a fifth of a deviation"),
        pytest.param(-0.1, 0.5, 197, id="a loss takes as many"),
        pytest.param(0.0, 0.5, None, id="no change"),
        pytest.param(0.5, 0.0, 2, id="the same change in every case"),
    ],
)
def test_the_formula_for_means_by_hand(change, deviation, wanted):
    assert cases_for_mean(change, deviation) == wanted


def test_with_so_many_cases_the_exact_test_finds_the_change_about_as_often_as_asked_for():
    gained, lost = 0.2, 0.08
    size = cases_for_proportions(gained, lost, power=0.8)
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(600):
        more, less, _ = rng.multinomial(size, [gained, lost, 1 - gained - lost])
        found += stats.binomtest(more, more + less).pvalue < 0.05
    assert found / 600 == pytest.approx(0.78, abs=0.06)  # the exact test is a little more careful than the formula


def test_more_power_and_more_confidence_take_more_cases():
    assert cases_for_proportions(0.2, 0.1, power=0.9) > cases_for_proportions(0.2, 0.1)
    assert cases_for_mean(0.1, 0.5, confidence=0.99) > cases_for_mean(0.1, 0.5)
