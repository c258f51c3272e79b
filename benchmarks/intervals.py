"""How often intervals hold the true value: of mean paired changes, and of means, by the shape of the values.

``python benchmarks/intervals.py`` prints the share of simulated samples whose 95 % interval holds the truth, for each
method, and the mean width as a multiple of that of the normal approximation. What should be seen is 93 % to 97 %.
"""

import argparse

import numpy as np

from otel_ragfault.statistics import Resampling, means, paired_change

SIZES = (20, 50, 100, 500)
MANY = 200_000
KEPT = 0.9


def passes(gained, lost):
    def draw(rng, size):
        chance = rng.random(size)
        before = np.where(chance < lost, 1.0, np.where(chance < lost + gained, 0.0, rng.integers(0, 2, size)))
        return before, np.where(chance < lost, 0.0, np.where(chance < lost + gained, 1.0, before))

    return draw


def recall(found, mended):
    """Recall over one to three required groups: many ties, few values."""

    def draw(rng, size):
        groups = rng.integers(1, 4, size)
        asked = np.arange(3)[:, None] < groups
        before = rng.random((3, size)) < found
        after = np.where(before, rng.random((3, size)) < KEPT, rng.random((3, size)) < mended)
        return (before & asked).sum(axis=0) / groups, (after & asked).sum(axis=0) / groups

    return draw


def reciprocal_ranks(changed):
    def draw(rng, size):
        before = rng.geometric(0.5, size)
        after = np.where(rng.random(size) < changed, np.maximum(1, before + rng.integers(-2, 3, size)), before)
        return 1 / before, 1 / after

    return draw


def gains(changed):
    """Most cases stay, and some gain a little, or much: skewed."""

    def draw(rng, size):
        before = rng.random(size) * 0.2
        return before, before + np.where(rng.random(size) < changed, rng.beta(1, 3, size), 0.0) * 0.8

    return draw


def even(rng, size):
    return rng.beta(2, 2, size), rng.beta(4, 2, size)


SHAPES = {
    "pass: 20 % gained, 10 % lost": passes(0.2, 0.1),
    "pass: 10 % gained, 2 % lost": passes(0.1, 0.02),
    "pass: 5 % gained, 5 % lost": passes(0.05, 0.05),
    "pass: 15 % gained": passes(0.15, 0.0),
    "recall with ties": recall(0.5, 0.3),
    "recall with ties, most found": recall(0.8, 0.5),
    "reciprocal rank, 50 % changed": reciprocal_ranks(0.5),
    "reciprocal rank, 20 % changed": reciprocal_ranks(0.2),
    "skewed gains of 40 %": gains(0.4),
    "skewed gains of 20 %": gains(0.2),
    "nDCG, all changed": even,
}


def one_change(before, after, how):
    found = paired_change([f"{n:05}" for n in range(len(before))], before, after, how)
    return found.low, found.high


def one_mean(_before, after, how):
    (found,) = means([f"{n:05}" for n in range(len(after))], after[:, None], how)
    return found.low, found.high


def row(draw, size, how, trials, interval, truth, deviation):
    rng = np.random.default_rng([7, size])
    held, width = 0, 0.0
    for _ in range(trials):
        low, high = interval(*draw(rng, size), how)
        held += low - 1e-9 <= truth <= high + 1e-9
        width += high - low
    return held / trials, width / trials / (2 * 1.96 * deviation / size**0.5)


def table(title, interval, methods, value, trials, replicates):
    print(f"{title}: share of intervals that hold the truth (width), {trials} samples each")
    print(f"{'':32}{'cases':>6}  " + "  ".join(f"{method:>14}" for method in methods))
    for name, draw in SHAPES.items():
        many = value(*draw(np.random.default_rng(1), MANY))
        for size in SIZES:
            cells = []
            for method in methods:
                how = Resampling(replicates=replicates, method=method)
                share, width = row(draw, size, how, trials, interval, many.mean(), many.std())
                cells.append(f"{share:>7.1%} ({width:4.2f})")
            print(f"{name:32}{size:>6}  " + "  ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--replicates", type=int, default=1_000)
    parser.add_argument("--of", choices=("changes", "means", "both"), default="both")
    chosen = parser.parse_args()
    size = (chosen.samples, chosen.replicates)
    if chosen.of != "means":
        methods = ("percentile", "bca", "best")
        table("mean paired changes", one_change, methods, lambda before, after: after - before, *size)
        print()
    if chosen.of != "changes":
        table("means", one_mean, ("percentile", "best"), lambda _, after: after, *size)


if __name__ == "__main__":
    main()
