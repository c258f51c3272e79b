"""Run probes: find what there is to run, ask the generator, judge and read what it said.

The database is held to find what there is to run, and again at the end. In between each run is in the spool, synced, as
soon as it has ended: a call that was killed is taken up by the next one where it was, and nothing is run twice.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.generators import Call, Limits, generate_all, open_generator
from otel_ragfault.jobs.probing.interventions import chosen
from otel_ragfault.jobs.probing.plan import Probe, ProbePlan, Skipped, plan_probes
from otel_ragfault.jobs.probing.results import Rate, Result, read_results, unjustified_rate
from otel_ragfault.jobs.probing.selection import select_subjects
from otel_ragfault.jobs.probing.spans import ProbeRun, recording

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.generators import Generator
    from otel_ragfault.model import Config

Opened = Callable[[], "AbstractContextManager[DuckDBPyConnection]"]
"""Opens the database for writing, with what waits in its spool loaded."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for.

    Attributes:
        probes: names of interventions; ``None`` for all.
        case_ids: only these cases.
        labels: only requests with these labels.
        run_id: only requests of this run of the pipeline.
        again: run everything, whatever was run before.
        dry_run: only find what would be run.
    """

    probes: Sequence[str] | None = None
    case_ids: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    run_id: str | None = None
    again: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a call did and found.

    Attributes:
        probe_run_id: id of the call.
        generator: the generator, as it was named.
        cases: how many cases were looked at.
        to_run: how many runs there were to make; with ``dry_run`` none of them was made.
        known: runs that were made before.
        failures: runs without an answer.
        skipped: interventions that say nothing about a case, and why.
        results: what the probes of each request came to and mean.
        unjustified: in how many cases an answer is given that nothing supports.
        dry_run: whether nothing was run.
    """

    probe_run_id: str
    generator: str
    cases: int
    to_run: int
    known: int
    failures: int
    skipped: tuple[Skipped, ...]
    results: tuple[Result, ...]
    unjustified: Rate
    planned: tuple[Probe, ...] = ()
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        rate = self.unjustified
        return {
            "probe_run_id": self.probe_run_id,
            "generator": self.generator,
            "dry_run": self.dry_run,
            "cases": self.cases,
            "to_run" if self.dry_run else "run": self.to_run,
            "known": self.known,
            "failures": self.failures,
            "planned": [
                {
                    "case_id": probe.subject.case_id,
                    "intervention": probe.intervention,
                    "step": probe.variant.step,
                    "repeat": probe.repeat,
                    "chunks": [chunk.id for chunk in probe.variant.chunks],
                    "changed": probe.variant.changed,
                }
                for probe in self.planned
            ],
            "skipped": [
                {"case_id": one.case_id, "intervention": one.intervention, "reason": one.reason} for one in self.skipped
            ],
            "results": [result.as_json() for result in self.results],
            "unjustified": {
                "cases": rate.cases,
                "of": rate.of,
                "share": rate.share,
                "low": rate.low,
                "high": rate.high,
            },
        }


def probe_cases(
    db: Path,
    opened: Opened,
    config: "Config",
    wanted: Wanted | None = None,
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> ProbeReport:
    """Probe the generator of the configuration with the prompts of labelled requests, one thing changed at a time.

    Args:
        db: the database; runs wait in the spool beside it.
        opened: opens it for writing.
        config: the generator with its limits, repeats, seed; what makes a refusal.
        wanted: which cases and which changes.
        on_progress: called with the runs that have ended and all that are to be made.

    Raises:
        InputError: no generator is named, it cannot be loaded, or nothing is there to be probed.
        DatabaseError: the database cannot be opened, or runs could not be kept.
    """
    wanted = wanted or Wanted()
    spec = config.probing.generator
    if spec is None:
        raise InputError(
            "no generator is named; module:function, file.py:function, http://host/path, command:PROGRAM ARGUMENTS or "
            "shell:LINE was wanted; give --generator, or set generator in [probing]"
        )
    interventions = chosen(wanted.probes)
    limits = _limits(config)
    with closing(open_generator(spec, limits)) as generator:
        with opened() as con:
            build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
            subjects = select_subjects(
                con, config, case_ids=wanted.case_ids, labels=wanted.labels, run_id=wanted.run_id
            )
            plan = plan_probes(
                con,
                subjects,
                interventions,
                generator_id=generator.identity,
                repeats=config.probing.repeats,
                again=wanted.again,
            )
        run = ProbeRun(_new_id(), spec, generator.identity, config.probing.seed)
        failures = 0 if wanted.dry_run else _run(db, plan, run, generator, limits, on_progress)
    if wanted.dry_run:
        return _report(run, plan, failures, (), config, dry_run=True)
    with opened() as con:
        build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
        results = read_results(con, config, [subject.request_id for subject in plan.subjects])
    of_generator = tuple(result for result in results if result.generator_id == run.generator_id)
    return _report(run, plan, failures, of_generator, config, dry_run=False)


def _run(
    db: Path,
    plan: ProbePlan,
    run: ProbeRun,
    generator: "Generator",
    limits: Limits,
    on_progress: Callable[[int, int], None],
) -> int:
    """Make the runs; return how many gave no answer."""
    if not plan.to_run:
        return 0
    failures = 0
    calls = [Call(probe, probe.subject.material.question, probe.variant.chunks) for probe in plan.to_run]
    with recording(db):
        for done, (_, made) in enumerate(generate_all(generator, calls, limits, around=run.around), 1):
            failures += made.failure is not None
            on_progress(done, len(calls))
    return failures


def _report(
    run: ProbeRun, plan: ProbePlan, failures: int, results: tuple[Result, ...], config: "Config", *, dry_run: bool
) -> ProbeReport:
    return ProbeReport(
        probe_run_id=run.run_id,
        generator=run.generator,
        cases=len(plan.subjects),
        to_run=len(plan.to_run),
        known=len(plan.known),
        failures=failures,
        skipped=tuple(plan.skipped),
        results=results,
        unjustified=unjustified_rate(results, config.probing.confidence),
        planned=tuple(plan.to_run) if dry_run else (),
        dry_run=dry_run,
    )


def _limits(config: "Config") -> Limits:
    probing = config.probing
    return Limits(timeout=probing.timeout, concurrency=probing.concurrency, rate=probing.rate, retries=probing.retries)


def _new_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(2)}"
