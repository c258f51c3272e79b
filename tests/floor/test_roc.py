"""Rates, area and thresholds against definitions spelled out in plain Python, and against scipy."""

from itertools import product
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from otel_ragfault.jobs.calibrating import Scores, at_most, curve, youden
from otel_ragfault.statistics import Resampling

QUICK = Resampling(replicates=100)
some_scores = st.lists(st.integers(-9, 9).map(lambda number: number / 10), min_size=1, max_size=4)
sides = st.dictionaries(st.sampled_from("abcdefgh"), some_scores, min_size=2, max_size=8)


def spelled_out(side, holds):
    """The mean over cases of the share of their scores for which something holds."""
    return float(np.mean([np.mean([holds(score) for score in scores]) for scores in side.values()]))


@given(sides, sides)
@settings(max_examples=150, deadline=None)
def test_rates_are_means_over_cases(evidence, others):
    found = curve(Scores.of(evidence, others), youden, QUICK)
    for point in found.points:
        assert isclose(point.false_rejection, spelled_out(evidence, lambda s, at=point.floor: s < at), abs_tol=1e-9)
        assert isclose(point.false_acceptance, spelled_out(others, lambda s, at=point.floor: s >= at), abs_tol=1e-9)


@given(sides, sides)
@settings(max_examples=150, deadline=None)
def test_the_area_is_how_often_evidence_scores_higher(evidence, others):
    wins = np.mean(
        [
            np.mean([(one > other) + (one == other) / 2 for one, other in product(scores, against)])
            for scores, against in product(evidence.values(), others.values())
        ]
    )
    assert isclose(curve(Scores.of(evidence, others), youden, QUICK).auc, wins, abs_tol=1e-9)


def test_with_one_score_a_case_the_area_is_that_of_mann_and_whitney():
    rng = np.random.default_rng(5)
    right, wrong = rng.normal(0.7, 0.1, 40).round(2), rng.normal(0.5, 0.1, 60).round(2)
    evidence = {f"e{number}": [score] for number, score in enumerate(right.tolist())}
    others = {f"o{number}": [score] for number, score in enumerate(wrong.tolist())}
    area = mannwhitneyu(right, wrong).statistic / (len(right) * len(wrong))
    assert isclose(curve(Scores.of(evidence, others), youden, QUICK).auc, area)


@given(sides, sides)
@settings(max_examples=150, deadline=None)
def test_youden_is_the_lowest_of_the_best(evidence, others):
    found = curve(Scores.of(evidence, others), youden, QUICK)
    worth = [1 - point.false_rejection - point.false_acceptance for point in found.points]
    best = [point for point, one in zip(found.points, worth, strict=True) if isclose(one, max(worth), abs_tol=1e-9)]
    assert found.chosen == best[0]


@given(sides, sides, st.sampled_from([0.0, 0.05, 0.25, 0.5, 0.99]))
@settings(max_examples=150, deadline=None)
def test_the_highest_floor_that_rejects_no_more_than_allowed(evidence, others, most):
    found = curve(Scores.of(evidence, others), at_most(most), QUICK)
    allowed = [point for point in found.points if point.false_rejection <= most + 1e-9]
    assert found.chosen == allowed[-1]


@pytest.mark.parametrize(
    ("evidence", "others", "floor"),
    [
        ([0.8], [0.4], 0.6),  # in the middle, and short
        ([0.7071], [0.7069], 0.707),
        ([0.7], [0.9], 0.7),  # nothing is lower
        ([0.123456], [0.5], 0.12),
        ([-0.05], [-0.3], -0.17),
        ([0.30000000000000004], [0.3], 0.30000000000000004),
    ],
    ids=["middle", "close", "lowest", "rounded down", "negative", "closest"],
)
def test_a_floor_is_a_short_number_that_does_what_the_threshold_does(evidence, others, floor):
    found = curve(Scores.of({"a": evidence, "b": evidence}, {"c": others, "d": others}), at_most(0.0), QUICK)
    assert found.chosen.floor == pytest.approx(floor, abs=0.011)
    assert found.chosen.floor <= evidence[0]
    assert all(score >= evidence[0] or score < found.chosen.floor for score in others)


def test_intervals_hold_the_truth_about_as_often_as_they_promise():
    rng = np.random.default_rng(11)
    truth = 0.9213503964748575  # P(N(0.7, 0.1) > N(0.5, 0.1)), of the standard normal distribution at the root of 2
    held = 0
    for seed in range(120):
        evidence = {f"{seed}-{number}": [float(rng.normal(0.7, 0.1))] for number in range(40)}
        others = {case: rng.normal(0.5, 0.1, 4).tolist() for case in evidence}
        found = curve(Scores.of(evidence, others), youden, Resampling(seed=seed, replicates=400))
        held += found.auc_low <= truth <= found.auc_high
    assert 105 <= held <= 120


def test_intervals_depend_on_the_seed_and_not_on_the_order_of_cases():
    evidence = {name: [0.5 + number / 50] for number, name in enumerate("abcdefghij")}
    others = {name: [0.4 + number / 60, 0.3] for number, name in enumerate("jihgfedcba")}
    turned = [dict(reversed(side.items())) for side in (evidence, others)]
    first = curve(Scores.of(evidence, others), youden, Resampling(seed=3))
    assert curve(Scores.of(*turned), youden, Resampling(seed=3)) == first
    assert curve(Scores.of(evidence, others), youden, Resampling(seed=4)).auc_low != first.auc_low


def test_more_thresholds_than_are_held_at_a_time_give_the_same_curve(monkeypatch):
    rng = np.random.default_rng(2)
    evidence = {f"c{number}": [float(rng.normal(0.7, 0.1))] for number in range(60)}
    others = {case: rng.normal(0.5, 0.1, 5).tolist() for case in evidence}
    whole = curve(Scores.of(evidence, others), youden, QUICK)
    monkeypatch.setattr("otel_ragfault.jobs.calibrating.roc._AT_ONCE", 7)
    assert curve(Scores.of(evidence, others), youden, QUICK).points == whole.points
    assert curve(Scores.of(evidence, others), youden, QUICK).auc == pytest.approx(whole.auc)
