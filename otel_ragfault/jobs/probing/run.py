"""Run probes: find what there is to run, ask the generator, judge and read what it said.

The database is held to find what there is to run, and again at the end. In between each run is in the spool, synced, as
soon as it has ended: a call that was killed is taken up by the next one where it was, and nothing is run twice.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.build import build_requests
from otel_ragfault.jobs.generators import WANTED, Call, Generator, Limits, generate_all, open_generator
from otel_ragfault.jobs.probing.holding import JudgeChoice, hold_answer, hold_claims, judge_again
from otel_ragfault.jobs.probing.interventions import Intervention, chosen
from otel_ragfault.jobs.probing.material import DoesNotApplyError
from otel_ragfault.jobs.probing.plan import ProbePlan, Skipped, plan_probes
from otel_ragfault.jobs.probing.report import ProbeReport
from otel_ragfault.jobs.probing.results import Held, read_results, store_readings, unjustified_rate
from otel_ragfault.jobs.probing.selection import Subject, select_subjects
from otel_ragfault.jobs.probing.spans import ProbeRun, recording
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.jobs.probing.readings import Read
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
        judge: the model that judges held claims; ``None`` for none.
        again: run everything, whatever was run before.
        dry_run: only find what would be run.
    """

    probes: Sequence[str] | None = None
    case_ids: Sequence[str] | None = None
    labels: Sequence[str] | None = None
    run_id: str | None = None
    judge: JudgeChoice | None = None
    again: bool = False
    dry_run: bool = False


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
    interventions = chosen(wanted.probes)
    with _generator(config, interventions) as generator:
        with opened() as con:
            plan = _plan(con, config, wanted, interventions, "" if generator is None else generator.identity)
        run = ProbeRun(
            _new_id(),
            "" if generator is None else generator.spec,
            "" if generator is None else generator.identity,
            config.probing.seed,
        )
        failures = 0
        if generator is not None and not wanted.dry_run:
            failures = _run(db, plan, run, generator, _limits(config), on_progress)
    if wanted.dry_run:
        return _report(run, plan, config, failures=0, dry_run=True)
    return _read(db, opened, config, wanted, (run, plan, failures))


def _plan(
    con: "DuckDBPyConnection",
    config: "Config",
    wanted: Wanted,
    interventions: Sequence[Intervention],
    generator_id: str,
) -> ProbePlan:
    build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
    subjects = select_subjects(con, config, case_ids=wanted.case_ids, labels=wanted.labels, run_id=wanted.run_id)
    repeats = config.probing.repeats
    return plan_probes(con, subjects, interventions, generator_id=generator_id, repeats=repeats, again=wanted.again)


def _run(
    db: Path,
    plan: ProbePlan,
    run: ProbeRun,
    generator: Generator,
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


def _read(
    db: Path, opened: Opened, config: "Config", wanted: Wanted, done: tuple[ProbeRun, ProbePlan, int]
) -> ProbeReport:
    """Judge what was said and read what it means."""
    run, plan, failures = done
    names = {one.name for one in chosen(wanted.probes)}
    warnings = []
    if "hold_claims" in names and wanted.judge is not None:
        stopped = judge_again(db, opened, config, plan.subjects, wanted.judge)
        warnings = [] if stopped is None else [f"held claims were not all judged: {stopped}"]
    with opened() as con:
        build_requests(con, mapping=config.mapping, default_snapshot=config.default_snapshot)
        results = read_results(con, config, [subject.request_id for subject in plan.subjects])
        held = [one for subject in plan.subjects if (one := _held(con, subject, names, plan)) is not None]
        with transaction(con):
            store_readings(con, held)
    of_generator = tuple(result for result in results if result.generator_id == run.generator_id)
    return _report(run, plan, config, failures=failures, results=of_generator, held=held, warnings=warnings)


def _held(con: "DuckDBPyConnection", subject: Subject, names: set[str], plan: ProbePlan) -> Held | None:
    found: list[Read] = []
    probes: dict[str, Callable[[], Read]] = {
        "hold_answer": lambda: hold_answer(subject),
        "hold_claims": lambda: hold_claims(con, subject),
    }
    for name, probe in probes.items():
        if name in names:
            try:
                found.append(probe())
            except DoesNotApplyError as error:
                plan.skipped.append(Skipped(subject.case_id, name, str(error)))
    return Held(subject.request_id, subject.case_id, subject.label, tuple(found)) if found else None


def _report(run: ProbeRun, plan: ProbePlan, config: "Config", **found: Any) -> ProbeReport:
    results = found.get("results", ())
    dry_run = found.get("dry_run", False)
    return ProbeReport(
        probe_run_id=run.run_id,
        generator=run.generator or None,
        cases=len(plan.subjects),
        to_run=len(plan.to_run),
        known=len(plan.known),
        failures=found["failures"],
        skipped=tuple(plan.skipped),
        results=results,
        held=tuple(found.get("held", ())),
        unjustified=unjustified_rate(results, config.probing.confidence),
        planned=tuple(plan.to_run) if dry_run else (),
        warnings=tuple(found.get("warnings", ())),
        dry_run=dry_run,
    )


@contextmanager
def _generator(config: "Config", interventions: Sequence[Intervention]) -> Iterator[Generator | None]:
    """Open the generator, where an intervention asks it."""
    if all(one.make is None for one in interventions):
        yield None
        return
    spec = config.probing.generator
    if spec is None:
        raise InputError(f"no generator is named; {WANTED}; give --generator, or set generator in [probing]")
    with closing(open_generator(spec, _limits(config))) as generator:
        yield generator


def _limits(config: "Config") -> Limits:
    probing = config.probing
    return Limits(timeout=probing.timeout, concurrency=probing.concurrency, rate=probing.rate, retries=probing.retries)


def _new_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(2)}"
