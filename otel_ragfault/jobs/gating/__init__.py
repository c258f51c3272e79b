"""A gate: whether a run is good enough, and no worse than its baseline beyond the noise."""

from otel_ragfault.jobs.gating.baseline import is_baseline, read_baseline, write_baseline
from otel_ragfault.jobs.gating.decide import decide
from otel_ragfault.jobs.gating.expressions import no_regression, requirement
from otel_ragfault.jobs.gating.result import Blame, GateResult, RuleResult, RunCase
from otel_ragfault.jobs.gating.run import only_run, read_run, run_gate

__all__ = [
    "Blame",
    "GateResult",
    "RuleResult",
    "RunCase",
    "decide",
    "is_baseline",
    "no_regression",
    "only_run",
    "read_baseline",
    "read_run",
    "requirement",
    "run_gate",
    "write_baseline",
]
