"""Intervals say how far a mean would move with other cases, and are the same whenever they are asked for."""

import random
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otel_ragfault.statistics.bootstrap import Mean, Resampling, case_draws, means

VALUES = st.lists(st.floats(0, 1), min_size=2, max_size=30)


def one(values, how=None, ids=None):
    names = ids or [f"case {number}" for number in range(len(values))]
    (found,) = means(names, np.array([values], dtype=float).T, how or Resampling())
    return found


@settings(max_examples=40, deadline=None)
@given(VALUES)
def test_an_interval_lies_around_the_mean_and_within_what_a_measure_can_be(values):
    found = one(values)
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert 0 <= found.low <= found.mean + 1e-9
    assert found.mean - 1e-9 <= found.high <= 1
    assert found.cases == len(values)


@settings(max_examples=40, deadline=None)
@given(VALUES)
def test_percentiles_lie_within_the_values(values):
    found = one(values, Resampling(method="percentile"))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@settings(max_examples=40, deadline=None)
@given(VALUES, st.randoms())
def test_an_interval_does_not_depend_on_the_order_of_the_cases(values, rng):
    pairs = [(f"case {number}", value) for number, value in enumerate(values)]
    shuffled = rng.sample(pairs, len(pairs))
    found = one([value for _, value in shuffled], ids=[name for name, _ in shuffled])
    wanted = one(values)
    assert (found.low, found.high) == (pytest.approx(wanted.low), pytest.approx(wanted.high))


def test_its_width_is_that_of_the_normal_approximation_where_there_are_many_cases():
    rng = random.Random(7)  # noqa: S311 - a sample, not a secret
    values = [rng.betavariate(2, 1) for _ in range(2_500)]
    found = one(values, Resampling(replicates=4_000))
    half = 1.96 * statistics.stdev(values) / len(values) ** 0.5
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.06)
    assert found.mean - found.low == pytest.approx(half, rel=0.12)


def test_it_covers_the_true_mean_as_often_as_it_says():
    rng = random.Random(3)  # noqa: S311 - a sample, not a secret
    covered = 0
    for trial in range(300):
        values = [float(rng.random() < 0.6) for _ in range(60)]
        found = one(values, Resampling(seed=trial, replicates=400, confidence=0.9))
        covered += found.low <= 0.6 <= found.high
    assert 0.84 <= covered / 300 <= 0.95


def test_more_confidence_is_a_wider_interval():
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 0.0, 0.75]
    narrow, wide = (one(values, Resampling(confidence=share)) for share in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_a_seed_says_which_draws_are_made():
    values = [number**0.5 / 5 for number in range(20)]
    assert one(values) == one(values) == one(values, Resampling(seed=1))
    assert one(values) != one(values, Resampling(seed=2))


def test_every_column_is_resampled_alike_so_that_a_constant_gain_is_a_constant_shift():
    first = np.array([0.3, 0.35, 0.45, 0.3, 0.4, 0.5, 0.35, 0.45])
    before, after = means(list("abcdefgh"), np.column_stack([first, first + 0.2]), Resampling())
    for name in ("mean", "low", "high"):
        assert getattr(after, name) - getattr(before, name) == pytest.approx(0.2)


def test_a_case_without_a_value_is_left_out_of_that_column_only():
    values = np.array([[0.0, 1.0], [np.nan, 0.0], [1.0, 0.0]])
    first, second = means(["a", "b", "c"], values, Resampling())
    (alone,) = means(["a", "c"], np.array([[0.0], [1.0]]), Resampling())
    assert first == alone
    assert (first.cases, second.cases) == (2, 3)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        pytest.param([], Mean(None, None, None, 0), id="no case"),
        pytest.param([np.nan, np.nan], Mean(None, None, None, 0), id="no value"),
        pytest.param([0.25, np.nan], Mean(0.25, None, None, 1), id="one value"),
    ],
)
def test_fewer_than_two_values_have_no_interval(values, wanted):
    assert one(values) == wanted


def test_where_every_case_is_right_the_interval_says_how_many_could_have_been_wrong():
    few, many = (one([1.0] * size) for size in (20, 500))
    assert (few.high, many.high) == (1.0, 1.0)
    assert few.low < 0.9
    assert 0.98 < many.low < 1


def test_draws_vary_as_those_of_resampling_with_replacement_do():
    found = one([1.0] * 200 + [0.0] * 200, Resampling(replicates=20_000))
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.5 / 400**0.5, rel=0.05)


def test_draws_of_one_case_tell_nothing_of_those_of_another():
    drawn = case_draws(["a", "b", "c"], Resampling(replicates=20_000))
    assert np.abs(np.corrcoef(drawn) - np.eye(3)).max() < 0.03
    assert drawn.mean() == pytest.approx(1, abs=0.02)
    assert drawn.var() == pytest.approx(1, abs=0.03)
