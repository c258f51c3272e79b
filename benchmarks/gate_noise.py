"""How often a gate fails when nothing has changed, and how often it finds a true drop.

A world of cases: each has a chance of its own to pass, and a place where it is lost when it does not. A pipeline is run
over the cases twice; verdicts are flipped now and then, as a noisy judge flips them. Without a true change every failed
gate is a false alarm, and their share has to stay at or below the declared rate whatever the number of cases, the share
that passes and the noise, for one rule and for several together. With a true drop some of the cases that would pass are
lost in retrieval; the share of failed gates is the power.
"""

import argparse
from dataclasses import dataclass

import numpy as np

from otel_ragfault.jobs.comparing import CaseChange, CaseState
from otel_ragfault.jobs.gating.regressions import check_regressions
from otel_ragfault.model.gate import DEFAULT_NO_REGRESSION, GateConfig, NoRegression
from otel_ragfault.statistics import Resampling

LABELS = (
    "source.not_indexed",
    "retrieval.below_k",
    "assembly.cut",
    "generation.wrong_answer",
    "decision.refused_answerable",
)
BOUNDARIES = ("source set", "retrieval", "assembly", "generation", "decision")
RULES = {
    "one": (NoRegression(measure="passed"),),
    "default": DEFAULT_NO_REGRESSION,
}
QUICK = Resampling(1, 10, 0.95)  # intervals are shown and decide nothing


@dataclass(frozen=True)
class World:
    """How many cases, which share of them passes, and how often a verdict is flipped.

    ``steadiness`` tells how sure a case is to end as it ended before: 0, all cases have the same chance; 1, a pipeline
    that repeats itself.
    """

    cases: int
    passing: float
    flipped: float
    steadiness: float = 0.8


def chances(world, draws):
    """The chance to pass of each case: as drawn, or the same for all."""
    fixed = (draws.random(world.cases) < world.passing).astype(float)
    return world.steadiness * fixed + (1 - world.steadiness) * world.passing


def run(world, chance, places, draws):
    """One run of the pipeline, judged: whether each case passes, and where it is lost."""
    passed = draws.random(world.cases) < chance
    return passed ^ (draws.random(world.cases) < world.flipped), places


def state(passed, place):
    label = "pass" if passed else LABELS[place]
    right = bool(passed)
    boundary, outcome = (None, "correct") if right else (BOUNDARIES[place], "wrong")
    plain = {"latent": False, "request_id": "", "k": None, "requests": 1, "stopped_at": label}
    unknown = dict.fromkeys(("retrieved", "grounded", "cited"))
    return CaseState(label=label, boundary=boundary, outcome=outcome, passed=right, correct=right, **plain, **unknown)


def gate(world, config, draws, drop=0.0):
    """Whether a gate over two runs fails; ``drop`` is the share of all cases that are lost in retrieval from now on."""
    chance, places = chances(world, draws), draws.integers(0, len(LABELS), world.cases)
    before = run(world, chance, places, draws)
    lost = draws.permutation(np.flatnonzero(chance > np.median(chance) - 1e-9))[: round(drop * world.cases)]
    chance[lost] = 0.0
    places = places.copy()
    places[lost] = LABELS.index("retrieval.below_k")
    after = run(world, chance, places, draws)
    cases = [
        CaseChange(f"c{number}", "", state(one, place), state(two, then), "unchanged")
        for number, (one, place, two, then) in enumerate(zip(*before, *after, strict=True))
    ]
    return any(rule.answer == "failed" for rule in check_regressions(config, cases, QUICK).rules)


def share_failed(world, gates, *, rules="default", drop=0.0, rate=0.05, correction="tarone", seed=1):
    """The share of gates that fail."""
    config = GateConfig(no_regression=RULES[rules], false_alarm_rate=rate, correction=correction)
    draws = np.random.default_rng([seed, world.cases, round(1000 * drop)])
    return float(np.mean([gate(world, config, draws, drop) for _ in range(gates)]))


def false_alarms(gates):
    error = 100 * (0.05 * 0.95 / gates) ** 0.5
    print(f"false alarms, declared rate 5.0 %, {gates} gates a figure (standard error at 5 %: {error:.1f} points)")
    print(f"{'cases':>6} {'passing':>8} {'flipped':>8} {'steady':>7} {'one rule':>9} {'9 rules':>9} {'9, holm':>9}")
    for cases in (8, 20, 50, 100, 200):
        for passing, flipped, steadiness in ((0.8, 0.1, 0.8), (0.95, 0.02, 0.8), (0.7, 0.0, 0.0)):
            world = World(cases, passing, flipped, steadiness)
            found = [
                share_failed(world, gates, rules="one"),
                share_failed(world, gates),
                share_failed(world, gates, correction="holm"),
            ]
            print(
                f"{cases:>6} {passing:>8.0%} {flipped:>8.0%} {steadiness:>7.0%} "
                + " ".join(f"{one:>9.1%}" for one in found),
                flush=True,
            )


def power(gates):
    print(f"\npower: share of failed gates after a true drop in retrieval, 9 rules, {gates} gates a figure")
    print(
        f"{'cases':>6} {'passing':>8} {'flipped':>8} "
        + " ".join(f"{f'-{drop:.0%}':>8}" for drop in (0.05, 0.1, 0.2, 0.3))
        + f" {'holm -20%':>10}"
    )
    for cases in (8, 20, 50, 100, 200):
        for passing, flipped in ((0.9, 0.0), (0.8, 0.05)):
            world = World(cases, passing, flipped, 1.0)
            found = [share_failed(world, gates, drop=drop) for drop in (0.05, 0.1, 0.2, 0.3)]
            holm = share_failed(world, gates, drop=0.2, correction="holm")
            print(
                f"{cases:>6} {passing:>8.0%} {flipped:>8.0%} "
                + " ".join(f"{one:>8.1%}" for one in found)
                + f" {holm:>10.1%}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--gates", type=int, default=300)
    chosen = parser.parse_args().gates
    false_alarms(chosen)
    power(chosen)
