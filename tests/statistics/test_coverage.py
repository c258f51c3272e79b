"""Intervals hold the truth as often as they say, also for few cases; ``benchmarks/intervals.py`` is the long form."""

import numpy as np
import pytest

from otel_ragfault.statistics import Resampling, means, paired_change

HOW = Resampling(replicates=400)
SAMPLES = 400
NAMES = [f"{number:04}" for number in range(1_000)]


def passes(rng, size):
    chance = rng.random(size)
    return np.where(chance < 0.1, 1.0, 0.0), np.where((chance >= 0.1) & (chance < 0.3), 1.0, 0.0)


def recall_with_ties(rng, size):
    before = rng.integers(0, 4, size) / 3
    return before, np.where(rng.random(size) < 0.3, np.minimum(1, before + 1 / 3), before)


def reciprocal_ranks(rng, size):
    before = rng.geometric(0.5, size)
    return 1 / before, 1 / np.where(rng.random(size) < 0.3, np.maximum(1, before + rng.integers(-2, 3, size)), before)


SHAPES = pytest.mark.parametrize(
    ("draw", "size"),
    [
        pytest.param(passes, 20, id="pass and fail, 20 cases"),
        pytest.param(passes, 100, id="pass and fail, 100 cases"),
        pytest.param(recall_with_ties, 25, id="recall with ties, 25 cases"),
        pytest.param(recall_with_ties, 100, id="recall with ties, 100 cases"),
        pytest.param(reciprocal_ranks, 20, id="reciprocal rank, 20 cases"),
        pytest.param(reciprocal_ranks, 100, id="reciprocal rank, 100 cases"),
    ],
)


def share_that_holds(draw, size, truth, interval):
    rng = np.random.default_rng([5, size])
    held = 0
    for _ in range(SAMPLES):
        low, high = interval(*draw(rng, size))
        held += low - 1e-9 <= truth <= high + 1e-9
    return held / SAMPLES


@SHAPES
def test_the_interval_of_a_change(draw, size):
    before, after = draw(np.random.default_rng(1), 400_000)

    def interval(before, after):
        found = paired_change(NAMES[:size], before, after, HOW)
        return found.low, found.high

    assert 0.93 <= share_that_holds(draw, size, (after - before).mean(), interval) <= 0.995


@SHAPES
def test_the_interval_of_a_mean(draw, size):
    _, after = draw(np.random.default_rng(1), 400_000)

    def interval(_, after):
        (found,) = means(NAMES[:size], after[:, None], HOW)
        return found.low, found.high

    assert 0.93 <= share_that_holds(draw, size, after.mean(), interval) <= 0.995


def test_plain_percentiles_do_not_hold_it_where_few_of_few_cases_changed():
    how = Resampling(replicates=400, method="percentile")

    def interval(before, after):
        found = paired_change(NAMES[:20], before, after, how)
        return found.low, found.high

    before, after = reciprocal_ranks(np.random.default_rng(1), 400_000)
    assert share_that_holds(reciprocal_ranks, 20, (after - before).mean(), interval) < 0.9
