"""Statistics over cases: intervals, tests, sizes of samples. Numbers in, numbers out; nothing beyond numpy."""

from otel_ragfault.statistics.bootstrap import Mean, case_draws, means
from otel_ragfault.statistics.paired import PairedChange, aligned, paired_change
from otel_ragfault.statistics.power import cases_for_mean, cases_for_proportions, cases_without_change
from otel_ragfault.statistics.resampling import Method, Resampling
from otel_ragfault.statistics.significance import benjamini_hochberg, holm, mcnemar, sign_flips

__all__ = [
    "Mean",
    "Method",
    "PairedChange",
    "Resampling",
    "aligned",
    "benjamini_hochberg",
    "case_draws",
    "cases_for_mean",
    "cases_for_proportions",
    "cases_without_change",
    "holm",
    "mcnemar",
    "means",
    "paired_change",
    "sign_flips",
]
