"""A gate: whether a run is good enough, and no worse than its baseline beyond the noise."""

from otel_ragfault.jobs.gating.decide import decide
from otel_ragfault.jobs.gating.result import Blame, GateResult, RuleResult, RunCase

__all__ = ["Blame", "GateResult", "RuleResult", "RunCase", "decide"]
