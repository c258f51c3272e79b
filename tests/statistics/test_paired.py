"""Intervals of a mean paired change: what they agree with, and what they do not depend on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from otel_ragfault.statistics import PairedChange, Resampling, paired_change

METHODS = ("best", "bca", "percentile")
SCORES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
PAIRS = st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=40)


def names(count):
    return [f"case {number:04}" for number in range(count)]


def change(pairs, how=None, ids=None):
    before, after = np.array(pairs, dtype=float).reshape(-1, 2).T
    return paired_change(ids or names(len(pairs)), before, after, how or Resampling(replicates=400))


def bounds(found):
    return np.array([found.low, found.high])


def graded(size, seed):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.integers(0, 4, size) / 3, rng.integers(1, 4, size) / 3])


def passes(size, seed):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.random(size) < 0.5, rng.random(size) < 0.7]).astype(float)


def skewed(size, seed):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.beta(1, 5, size), rng.beta(1, 2, size)])


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")], ids=str)
@pytest.mark.parametrize(
    "pairs",
    [
        pytest.param(graded(25, 1), id="recall with ties, 25 cases"),
        pytest.param(passes(60, 2), id="pass and fail, 60 cases"),
        pytest.param(skewed(40, 3), id="skewed, 40 cases"),
        pytest.param(graded(300, 4), id="recall with ties, 300 cases"),
    ],
)
def test_intervals_are_those_of_scipy_to_monte_carlo_error(pairs, method, theirs):
    found = bounds(change(pairs, Resampling(replicates=20_000, method=method)))
    wanted = stats.bootstrap(
        tuple(pairs.T),
        lambda before, after, axis: np.mean(after - before, axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method=theirs,
        rng=np.random.default_rng(9),
    ).confidence_interval
    error = np.std(pairs[:, 1] - pairs[:, 0]) / len(pairs) ** 0.5
    step = 1 / len(pairs) if method in {"percentile", "bca"} else 0  # a mean of few cases moves in steps
    assert found == pytest.approx([wanted.low, wanted.high], abs=0.05 * error + step / 3 + 1e-9)


@pytest.mark.parametrize("pairs", [passes(400, 5), graded(400, 6), skewed(400, 7)], ids=["passes", "graded", "skewed"])
def test_with_many_cases_all_methods_agree(pairs):
    intervals = [bounds(change(pairs, Resampling(replicates=4_000, method=method))) for method in METHODS]
    error = np.std(pairs[:, 1] - pairs[:, 0]) / len(pairs) ** 0.5
    for interval in intervals[1:]:
        assert interval == pytest.approx(intervals[0], abs=0.3 * error)


def test_for_pass_and_fail_the_interval_is_close_to_the_adjusted_one_of_bonett_and_price():
    gained, lost, size = 12, 6, 80
    pairs = [(0, 1)] * gained + [(1, 0)] * lost + [(1, 1)] * (size - gained - lost)
    more, less = (gained + 1) / (size + 2), (lost + 1) / (size + 2)
    half = 1.96 * ((more + less - (more - less) ** 2) / (size + 2)) ** 0.5
    found = change(pairs, Resampling(replicates=20_000))
    assert bounds(found) == pytest.approx([more - less - half, more - less + half], abs=0.15 * half)


@pytest.mark.parametrize("size", [2, 8, 40])
def test_the_same_change_in_every_case_is_not_called_uncertain_beyond_measure(size):
    found = change([(0.25, 0.75)] * size)
    assert found.change == 0.5
    assert found.high - found.low < 8 / size


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from(METHODS), st.randoms())
def test_an_interval_does_not_depend_on_the_order_of_the_cases(pairs, method, rng):
    how = Resampling(replicates=200, method=method)
    cases = list(zip(names(len(pairs)), pairs, strict=True))
    shuffled = rng.sample(cases, len(cases))
    assert change([pair for _, pair in shuffled], how, [name for name, _ in shuffled]) == change(pairs, how)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from(METHODS))
def test_exchanging_the_sides_mirrors_the_change_and_its_interval(pairs, method):
    how = Resampling(replicates=200, method=method)
    one_way, other_way = change(pairs, how), change([pair[::-1] for pair in pairs], how)
    assert other_way.change == pytest.approx(-one_way.change, abs=1e-12)
    assert bounds(other_way) == pytest.approx(-bounds(one_way)[::-1], abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from(METHODS))
def test_an_interval_lies_within_what_a_measure_can_change_by(pairs, method):
    found = change(pairs, Resampling(replicates=200, method=method))
    assert -1 <= found.low <= found.high <= 1


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.sampled_from(METHODS), st.sets(st.integers(0, 39)))
def test_a_case_without_a_value_on_one_side_is_as_if_it_had_not_been_asked(pairs, method, gone):
    kept = [place for place in range(len(pairs)) if place not in gone]
    holed = [(before, np.nan) if place in gone else (before, after) for place, (before, after) in enumerate(pairs)]
    how = Resampling(replicates=100, method=method)
    found = change(holed, how)
    alone = change([pairs[place] for place in kept], how, [names(40)[place] for place in kept])
    assert (found.cases, found.left_out) == (len(kept), len(pairs) - len(kept))
    assert (found.before, found.after, found.change, found.low, found.high) == (
        alone.before,
        alone.after,
        alone.change,
        alone.low,
        alone.high,
    )


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        pytest.param([], PairedChange(0, None, None, None, None, None, 0), id="no case"),
        pytest.param([(np.nan, 1)], PairedChange(0, None, None, None, None, None, 1), id="no case with both values"),
        pytest.param([(0, 1), (1, np.nan)], PairedChange(1, 0, 1, 1, None, None, 1), id="one case"),
    ],
)
def test_fewer_than_two_cases_have_no_interval(pairs, wanted):
    assert change(pairs) == wanted


def test_where_nothing_changed_the_interval_says_how_much_could_have_been_missed():
    few, many = (change([(1, 1)] * size) for size in (20, 500))
    assert few.low < 0 < few.high
    assert few.high == pytest.approx(2.093 * 2**0.5 / 22, rel=0.05)
    assert few.high - few.low > 10 * (many.high - many.low)


def test_a_seed_says_which_draws_are_made():
    pairs = graded(30, 8)
    assert change(pairs) == change(pairs, Resampling(seed=1, replicates=400))
    assert change(pairs) != change(pairs, Resampling(seed=2, replicates=400))


def test_more_confidence_is_a_wider_interval():
    narrow, wide = (change(graded(30, 8), Resampling(confidence=share)) for share in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_measures_of_the_same_cases_are_resampled_alike():
    pairs = graded(30, 8)
    how = Resampling(method="percentile")
    assert bounds(change(pairs / 2, how)) == pytest.approx(bounds(change(pairs, how)) / 2)
