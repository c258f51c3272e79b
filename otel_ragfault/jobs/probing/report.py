"""What a call of ``ragfault probe`` did and found."""

from dataclasses import asdict, dataclass
from typing import Any

from otel_ragfault.jobs.probing.plan import Probe, Skipped
from otel_ragfault.jobs.probing.results import Held, Rate, Result


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a call did and found.

    Attributes:
        probe_run_id: id of the call.
        generator: the generator, as it was named; ``None`` where none was asked.
        cases: how many cases were looked at.
        to_run: how many runs there were to make; with ``dry_run`` none of them was made.
        known: runs that were made before.
        failures: runs without an answer.
        skipped: interventions that say nothing about a case, and why.
        results: what the probes of each request came to and mean.
        held: what it means that recorded answers, or their claims, were held and judged again.
        unjustified: in how many cases an answer is given that nothing supports.
        planned: with ``dry_run``, what would be run.
        warnings: what a person should know beside the results.
        dry_run: whether nothing was run.
    """

    probe_run_id: str
    generator: str | None
    cases: int
    to_run: int
    known: int
    failures: int
    skipped: tuple[Skipped, ...]
    results: tuple[Result, ...]
    held: tuple[Held, ...]
    unjustified: Rate
    planned: tuple[Probe, ...] = ()
    warnings: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def has_no_answer(self) -> bool:
        """Whether not one of the runs that were asked for, now or before, has an answer."""
        return not self.dry_run and not self.known and self.failures == self.to_run > 0

    @property
    def reason(self) -> str:
        """Why a run gave no answer; of several the first."""
        errors = (one.error for result in self.results for one in result.probed.tallies if one.failures)
        return next((error for error in errors if error), "it did not say why")

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "probe_run_id": self.probe_run_id,
            "generator": self.generator,
            "dry_run": self.dry_run,
            "cases": self.cases,
            "to_run" if self.dry_run else "run": self.to_run,
            "known": self.known,
            "failures": self.failures,
            "planned": [_planned_json(probe) for probe in self.planned],
            "skipped": [asdict(one) for one in self.skipped],
            "results": [result.as_json() for result in self.results],
            "held": [held.as_json() for held in self.held],
            "unjustified": asdict(self.unjustified),
            "warnings": list(self.warnings),
        }


def _planned_json(probe: Probe) -> dict[str, Any]:
    return {
        "case_id": probe.subject.case_id,
        "intervention": probe.intervention,
        "step": probe.variant.step,
        "repeat": probe.repeat,
        "chunks": [chunk.id for chunk in probe.variant.chunks],
        "changed": probe.variant.changed,
    }
