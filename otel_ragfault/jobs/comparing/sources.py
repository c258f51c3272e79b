"""Find the run that a name means, in a database that is open or in a file."""

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError, NothingJoinedError
from otel_ragfault.jobs.comparing.result import Kind, Source
from otel_ragfault.model.wording import did_you_mean
from otel_ragfault.sql import read_query
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

_LISTED: Final = 12  # runs that an error names


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a database that exists: all requests where ``name`` is ``None``."""

    kind: Kind
    name: str | None
    requests: int
    labelled: int

    @property
    def parameters(self) -> dict[str, str | None]:
        """The run by the names of the SQL parameters."""
        return {
            "pipeline": self.name if self.kind == "pipeline" else None,
            "labelling": self.name if self.kind == "labelling" else None,
        }


@contextmanager
def opened(source: Source) -> "Iterator[DuckDBPyConnection]":
    """Return a connection to the database of a source; one that was opened here is closed again.

    Raises:
        DatabaseError: it cannot be opened.
    """
    if not isinstance(source.database, (str, Path)):
        with source.database.cursor() as cursor:
            yield cursor
        return
    with connect(source.database, read_only=True) as con:
        yield con


def known_runs(con: "DuckDBPyConnection") -> list[Run]:
    """Return the runs of a database, newest first in their kind."""
    rows = con.execute(read_query("comparing", "runs").body).fetchall()
    return [Run(kind, name, requests, labelled) for kind, name, requests, labelled, _ in rows]


def find_run(con: "DuckDBPyConnection", name: str | None) -> Run:
    """Return the run of a name: of the pipeline or of a labelling; ``pipeline:`` or ``labelling:`` before it decides.

    Raises:
        InputError: there is no such run, or one of either kind.
        NothingJoinedError: none of its requests has a label.
    """
    runs = known_runs(con)
    if name is None:
        run = _everything(con)
    else:
        kind, bare = _split(name)
        found = [run for run in runs if run.name == bare and kind in {None, run.kind}] or [
            run for run in runs if run.name == name
        ]
        if not found:
            raise InputError(_unknown(name, runs))
        if len(found) > 1:
            raise InputError(
                f"{name!r} is a run of the pipeline and a labelling; one of them was wanted; "
                f"write pipeline:{name} or labelling:{name}"
            )
        (run,) = found
    if not run.labelled:
        raise NothingJoinedError(_unlabelled(run))
    return run


def _split(name: str) -> tuple[str | None, str]:
    kind, colon, bare = name.partition(":")
    return (kind, bare) if colon and kind in get_args(Kind) else (None, name)


def _everything(con: "DuckDBPyConnection") -> Run:
    row = con.execute("SELECT (SELECT count(*) FROM request), (SELECT count(*) FROM current_label)").fetchone()
    requests, labelled = row or (0, 0)
    return Run("pipeline", None, requests, labelled)


def _unlabelled(run: Run) -> str:
    what = "the database" if run.name is None else f"run {run.name!r}"
    holds = (
        f"{what} holds {counted(run.requests, 'request')} and no label of them" if run.requests else f"{what} is empty"
    )
    return f"{holds}; labelled requests were wanted; run: ragfault label --db DB"


def _unknown(name: str, runs: list[Run]) -> str:
    if not runs:
        return (
            f"no run {name!r}: the database names no run and holds no labelling; a run was wanted; "
            "send a run id with the traffic (ragfault.run.id), or run: ragfault label --db DB"
        )
    meant = did_you_mean(name, [run.name for run in runs if run.name is not None])
    advice = f"did you mean {meant!r}?" if meant else "name one of these"
    return f"no run {name!r}; known are {_listed(runs)}; {advice}"


def listed_runs(con: "DuckDBPyConnection") -> str:
    """Return the known runs by kind, as messages name them."""
    return _listed(known_runs(con))


def _listed(runs: list[Run]) -> str:
    kinds: list[Kind] = ["pipeline", "labelling"]
    return "; ".join(f"{kind}: {_names(kind, runs)}" for kind in kinds)


def _names(kind: Kind, runs: list[Run]) -> str:
    names = [run.name or "" for run in runs if run.kind == kind]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return (", ".join(names[:_LISTED]) + more) or "none"
