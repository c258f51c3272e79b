"""Read one side of a comparison: its labelled requests, with their measures, case by case."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otel_ragfault.jobs.comparing.result import CaseState, Side, Source
from otel_ragfault.jobs.comparing.settings import labelling_settings, observed_settings
from otel_ragfault.jobs.comparing.sources import Run, find_run, opened
from otel_ragfault.jobs.comparing.states import state_of
from otel_ragfault.jobs.measure_names import MEASURES
from otel_ragfault.jobs.measures import choices
from otel_ragfault.sql import read_query
from otel_ragfault.store import named_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.model import Config

EVIDENCE_IN_PROMPT = "evidence_in_prompt"
"""The measure of a case that says how much of the required evidence reached the prompt."""


@dataclass(frozen=True, slots=True)
class Case:
    """A case of one side: what gold says of it, the versions of gold that it was labelled by, and its state."""

    case_id: str
    query: str
    tags: tuple[str, ...]
    expect: str
    services: frozenset[str | None]
    gold_versions: frozenset[str]
    state: CaseState


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of one side; ``unlabelled`` requests of the run are not in it."""

    side: Side
    cases: dict[str, Case]
    unlabelled: int = 0


def read_side(source: Source, config: "Config") -> Read:
    """Read a side.

    Args:
        source: a database, or its file, and the name of a run in it.
        config: cutoffs and choices of the measures.

    Raises:
        DatabaseError: the file cannot be opened.
        InputError: there is no such run.
        NothingJoinedError: none of its requests has a label.
    """
    with opened(source) as con:
        run = find_run(con, source.run)
        rows = _rows(con, "side", run.parameters)
        measures = _measures(con, run, config)
        labellings = sorted({row["labelling"] for row in rows})
        settings = observed_settings(con, run) | labelling_settings(con, labellings)
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["case_id"]].append(row | {"values": measures.get(row["request_id"], {})})
    cases = {case_id: _case(of_case) for case_id, of_case in grouped.items()}
    side = Side(_path(source), run.name, run.kind, len(cases), len(rows), settings, labellings)
    return Read(side, cases, run.requests - len(rows))


def _path(source: Source) -> Path | None:
    return Path(source.database) if isinstance(source.database, (str, Path)) else source.path


def _rows(con: "DuckDBPyConnection", name: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    return named_rows(con.execute(read_query("comparing", name).body, parameters))


def _measures(con: "DuckDBPyConnection", run: Run, config: "Config") -> dict[str, dict[str, float]]:
    """Return the measures of each request: by name and cutoff, or by name alone for the whole ranking."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    parameters = {**run.parameters, "ks": list(config.measure_cutoffs), **choices(config)}
    for row in _rows(con, "measures", parameters):
        at = "" if row["k"] is None else f"@{row['k']}"
        found[row["request_id"]] |= {
            f"{name}{at}": row[column] for name, column in MEASURES.items() if row[column] is not None
        }
    return found


def _case(rows: list[dict[str, Any]]) -> Case:
    first = rows[0]
    for row in rows:
        if row[EVIDENCE_IN_PROMPT] is not None:
            row["values"] = row["values"] | {EVIDENCE_IN_PROMPT: row[EVIDENCE_IN_PROMPT]}
    return Case(
        first["case_id"],
        first["query"],
        tuple(sorted(set(first["tags"]))),
        first["expect"],
        frozenset(row["service"] for row in rows),
        frozenset(row["gold_version"] for row in rows),
        state_of(rows),
    )
