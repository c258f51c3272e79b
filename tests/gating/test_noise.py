"""The promise of the gate, in simulation: no more false alarms than declared, and true drops are found."""

import importlib.util
import math

import pytest

from paths import REPOSITORY

GATES = 400
RATE = 0.05


def _simulation():
    spec = importlib.util.spec_from_file_location("gate_noise", REPOSITORY / "benchmarks" / "gate_noise.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


noise = _simulation()


@pytest.mark.parametrize(
    ("world", "rules"),
    [
        pytest.param(noise.World(20, 0.8, 0.1), "default", id="few cases and a noisy judge"),
        pytest.param(noise.World(60, 0.7, 0.0, 0.0), "default", id="a pipeline that never repeats itself"),
        pytest.param(noise.World(60, 0.7, 0.0, 0.0), "one", id="one rule"),
        pytest.param(noise.World(8, 0.5, 0.2), "default", id="eight cases"),
    ],
)
def test_without_a_change_the_gate_fails_no_more_often_than_declared(world, rules):
    allowed = RATE + 2.6 * math.sqrt(RATE * (1 - RATE) / GATES)
    assert noise.share_failed(world, GATES, rules=rules, rate=RATE) <= allowed


def test_the_rate_that_is_declared_is_the_one_that_is_kept():
    world = noise.World(60, 0.7, 0.0, 0.0)
    shares = [noise.share_failed(world, GATES, rules="one", rate=rate) for rate in (0.01, 0.1, 0.3)]
    assert shares == sorted(shares)
    assert 0.1 < shares[2] <= 0.3 + 2.6 * math.sqrt(0.3 * 0.7 / GATES)


def test_a_true_drop_is_found_and_a_larger_one_more_often():
    world = noise.World(100, 0.9, 0.0, 1.0)
    small, large = (noise.share_failed(world, 60, drop=drop) for drop in (0.03, 0.15))
    assert small < large
    assert large >= 0.95
