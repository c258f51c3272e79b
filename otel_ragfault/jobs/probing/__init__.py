"""Probes: the generator alone, on recorded prompts with one thing changed at a time, and what that means."""

from otel_ragfault.jobs.probing.holding import JudgeChoice
from otel_ragfault.jobs.probing.interventions import INTERVENTIONS, Intervention
from otel_ragfault.jobs.probing.material import DoesNotApplyError, Material, Variant
from otel_ragfault.jobs.probing.readings import READINGS, REFINED, Read, Reading, read_probes
from otel_ragfault.jobs.probing.report import ProbeReport
from otel_ragfault.jobs.probing.results import Held, Rate, Result, read_results
from otel_ragfault.jobs.probing.run import Wanted, probe_cases
from otel_ragfault.jobs.probing.selection import TELLING
from otel_ragfault.jobs.probing.tally import Probed, Tally

__all__ = [
    "INTERVENTIONS",
    "READINGS",
    "REFINED",
    "TELLING",
    "DoesNotApplyError",
    "Held",
    "Intervention",
    "JudgeChoice",
    "Material",
    "ProbeReport",
    "Probed",
    "Rate",
    "Read",
    "Reading",
    "Result",
    "Tally",
    "Variant",
    "Wanted",
    "probe_cases",
    "read_probes",
    "read_results",
]
