"""What a call of ``ragfault probe`` would run: probes with their identity, which are known, what does not apply."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import orjson

from otel_ragfault.jobs.probing.interventions import Intervention
from otel_ragfault.jobs.probing.material import DoesNotApplyError, Variant
from otel_ragfault.jobs.probing.selection import Subject
from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Probe:
    """One run of the generator: of which request, what is changed, which repeat."""

    probe_id: str
    subject: Subject
    intervention: str
    variant: Variant
    repeat: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """An intervention that says nothing about a case, and why."""

    case_id: str
    intervention: str
    reason: str


@dataclass(slots=True)
class ProbePlan:
    """Everything that is asked for: probes still to be run, those that were run before, what does not apply."""

    subjects: list[Subject] = field(default_factory=list)
    to_run: list[Probe] = field(default_factory=list)
    known: list[Probe] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def probes(self) -> list[Probe]:
        """All probes, known or not."""
        return [*self.known, *self.to_run]


def plan_probes(
    con: "DuckDBPyConnection",
    subjects: Sequence[Subject],
    interventions: Sequence[Intervention],
    *,
    generator_id: str,
    repeats: int,
    again: bool = False,
) -> ProbePlan:
    """Make the variants of every subject, and find those that were run already.

    Args:
        con: a database.
        subjects: the requests.
        interventions: what is changed.
        generator_id: identity of the generator.
        repeats: how often each is run.
        again: run everything, whatever was run before.
    """
    plan = ProbePlan(subjects=list(subjects))
    found: list[Probe] = []
    for subject in subjects:
        for intervention in interventions:
            if intervention.make is None:
                continue
            try:
                variants = intervention.make(subject.material)
            except DoesNotApplyError as error:
                plan.skipped.append(Skipped(subject.case_id, intervention.name, str(error)))
                continue
            found += [
                Probe(
                    _identity(generator_id, subject, intervention.name, variant, repeat),
                    subject,
                    intervention.name,
                    variant,
                    repeat,
                )
                for variant in variants
                for repeat in range(1, repeats + 1)
            ]
    known = set() if again else _known(con, [probe.probe_id for probe in found])
    for probe in found:
        (plan.known if probe.probe_id in known else plan.to_run).append(probe)
    return plan


def _known(con: "DuckDBPyConnection", probe_ids: list[str]) -> set[str]:
    return {
        probe_id
        for (probe_id,) in con.execute(read_query("probing", "known").body, {"probe_ids": probe_ids}).fetchall()
    }


def _identity(generator_id: str, subject: Subject, intervention: str, variant: Variant, repeat: int) -> str:
    """Digest what makes a run what it is, so that the same run is known again, in whatever call it was made."""
    content = [
        generator_id,
        subject.request_id,
        intervention,
        variant.step,
        subject.material.question,
        [[chunk.id, chunk.text] for chunk in variant.chunks],
        variant.planted,
        repeat,
    ]
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:32]
