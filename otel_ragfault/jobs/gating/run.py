"""Run a gate: read the run and its baseline, compare them, decide."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.comparing import Source
from otel_ragfault.jobs.comparing.compare import compare_read
from otel_ragfault.jobs.comparing.reading import Read, read_side
from otel_ragfault.jobs.comparing.sources import known_runs
from otel_ragfault.jobs.gating.baseline import read_baseline
from otel_ragfault.jobs.gating.decide import decide
from otel_ragfault.jobs.gating.result import GateResult, RunCase
from otel_ragfault.model import Config

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_LISTED: Final = 8  # runs that an error names


def run_gate(
    run: Source, config: Config, *, baseline: Source | Path | None = None, allow_different_cases: bool = False
) -> GateResult:
    """Run a gate.

    Args:
        run: the run that is looked at.
        config: its rules, in the section ``gate``.
        baseline: the run before, or the file that was written from one; without it only thresholds are checked.
        allow_different_cases: gate on the cases that both have, and report the others, instead of refusing.

    Raises:
        ConfigError: a rule names a figure that there is not.
        DatabaseError: a file cannot be opened.
        InputError: there is no such run, the cases differ, or a baseline cannot be read.
        NothingJoinedError: a run has no labels.
        RagfaultError: there is nothing to check.
    """
    config = measuring(config)
    read = read_side(run, config)
    cases = [RunCase(one.case_id, one.query, one.state, list(one.tags)) for _, one in sorted(read.cases.items())]
    if baseline is None:
        return decide(config, read.side, cases)
    before = read_baseline(baseline) if isinstance(baseline, Path) else read_side(baseline, config)
    comparison = compare_read(before, read, config, allow_different_cases=allow_different_cases)
    return decide(config, read.side, cases, comparison)


def read_run(run: Source, config: Config) -> Read:
    """Read a run, to be written as a baseline.

    Raises:
        DatabaseError: the file cannot be opened.
        InputError: there is no such run.
        NothingJoinedError: it has no labels.
    """
    return read_side(run, measuring(config))


def measuring(config: Config) -> Config:
    """Return the configuration with the cutoffs that its rules look down to."""
    cutoffs = tuple(sorted({*config.measure_cutoffs, *config.gate.cutoffs}))
    return config.model_copy(update={"measure_cutoffs": cutoffs})


def only_run(con: "DuckDBPyConnection", *, but: str | None = None) -> str | None:
    """Return the run of the pipeline that is meant where none is named: the only one that there is.

    ``None`` stands for all requests, where the traffic names no run.

    Args:
        con: a database.
        but: a run that is not meant: the baseline in the same database.

    Raises:
        InputError: there are several.
    """
    bare = None if but is None else but.removeprefix("pipeline:")
    names = [run.name for run in known_runs(con) if run.kind == "pipeline" and run.name not in {None, bare}]
    if len(names) > 1:
        more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
        listed = ", ".join(map(str, names[:_LISTED])) + more
        raise InputError(
            f"the database holds {counted(len(names), 'run')} ({listed}), one was wanted; name it with --run"
        )
    if not names and but is not None:
        raise InputError(f"the database holds no run beside the baseline {but!r}; name one with --run")
    return names[0] if names else None
