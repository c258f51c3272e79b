"""Load a file of verdicts: all of it, or nothing and every problem."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import orjson
import pyarrow as pa

from otel_ragfault.errors import InputError
from otel_ragfault.judging.verdicts.files import read_verdicts
from otel_ragfault.judging.verdicts.line import VerdictLine
from otel_ragfault.judging.verdicts.row import VerdictRow, insert_verdicts
from otel_ragfault.judging.verdicts.targets import Cites, target_problems
from otel_ragfault.model import InvalidFileError, Problem
from otel_ragfault.model.judging import Source
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_Lines = list[tuple[int, VerdictLine]]


@dataclass(frozen=True, slots=True)
class LoadedVerdicts:
    """How many verdicts of a file were ``added``, how many were ``known`` already, and of how many ``requests``."""

    added: int
    known: int
    requests: int


def load_verdicts(
    con: "DuckDBPyConnection",
    path: Path,
    *,
    judge: str | None = None,
    source: Source = "human",
    cites: Cites | None = None,
) -> LoadedVerdicts:
    """Load the verdicts of a CSV sheet or a file of JSON lines.

    Nothing is overwritten: what the newest verdict of its judge says already is passed over, anything else is added.

    Args:
        con: a database opened for writing, outside of a transaction, with its requests built.
        path: the file.
        judge: who judged, where a line does not say so.
        source: what kind of judge it was.
        cites: finds what an answer cites; without it, targets of citations are taken as they are.

    Raises:
        InvalidFileError: a line is invalid, names no known request, claim or citation, or contradicts another; it
            carries every problem.
        InputError: the file cannot be read, or holds no verdict.
    """
    lines: _Lines = []
    problems: list[Problem] = []
    for found in read_verdicts(path):
        if isinstance(found, Problem):
            problems.append(found)
        else:
            lines.append(found)
    requests = _requests(con, lines)
    problems += _unknown(path, lines, requests)
    if not problems:
        problems += target_problems(con, path, lines, requests, cites)
    problems += _nameless(path, lines, judge)
    if not problems:
        problems += _contradictions(path, lines, requests, judge)
    if problems:
        raise InvalidFileError(sorted(problems), "correct the file and load it again")
    if not lines:
        raise InputError(f"{path}: holds no verdict; lines with a value were wanted; fill the sheet in first")
    now = datetime.now(UTC).replace(tzinfo=None)
    rows = [_row(path, number, line, requests[number][0], judge or "", source, now) for number, line in lines]
    fresh = _fresh(con, list({row.config: row for row in rows}.values()), dict(lines))
    with transaction(con):
        added = insert_verdicts(con, fresh)
    return LoadedVerdicts(added, len(rows) - added, len({row.request_id for row in rows}))


def _requests(con: "DuckDBPyConnection", lines: _Lines) -> dict[int, list[UUID]]:
    named = {
        "line": [number for number, _ in lines],
        "request_id": [None if line.request_id is None else str(line.request_id) for _, line in lines],
        "trace_id": [None if line.trace_id is None else str(line.trace_id) for _, line in lines],
        "case_id": [line.case_id for _, line in lines],
        "run_id": [line.run_id for _, line in lines],
    }
    kinds = {name: pa.int64() if name == "line" else pa.string() for name in named}
    con.register("named_request", pa.table(named, schema=pa.schema(kinds)))
    try:
        return dict(con.execute(read_query("judging", "named_requests").body).fetchall())
    finally:
        con.unregister("named_request")


def _unknown(path: Path, lines: _Lines, requests: dict[int, list[UUID]]) -> list[Problem]:
    problems = []
    for number, line in lines:
        found = requests.get(number, [])
        if not found:
            reason = f"no request has {line.named}; see ragfault query --db DB --sql 'FROM request'"
            problems.append(Problem(str(path), number, line.naming_field, reason))
        elif len(found) > 1:
            more = (
                "its request_id"
                if line.trace_id is not None or line.run_id is not None
                else "the run_id, or the request_id"
            )
            reason = f"{len(found)} requests have {line.named}; give {more}"
            problems.append(Problem(str(path), number, line.naming_field, reason))
    return problems


def _nameless(path: Path, lines: _Lines, judge: str | None) -> list[Problem]:
    """Say once that lines name no judge: a sheet has hundreds of them."""
    nameless = [number for number, line in lines if line.judge is None and judge is None]
    if not nameless:
        return []
    more = f" on {len(nameless)} lines" if len(nameless) > 1 else ""
    reason = f"is missing{more}; say who judged, here or with --judge NAME"
    return [Problem(str(path), nameless[0], "judge", reason)]


def _contradictions(path: Path, lines: _Lines, requests: dict[int, list[UUID]], judge: str | None) -> list[Problem]:
    seen: dict[tuple[object, ...], tuple[int, VerdictLine]] = {}
    problems = []
    for number, line in lines:
        thing = (requests[number][0], line.subject, line.target, line.claim_id)
        key = (*thing, line.judge or judge, line.repeat_no, line.judged_at)
        before, said = seen.setdefault(key, (number, line))
        if said.value != line.value:
            reason = (
                f"{_word(line.value)} contradicts {_word(said.value)} of line {before}: one judge, one {line.subject}"
            )
            problems.append(Problem(str(path), number, "value", reason))
    return problems


def _word(value: bool | None) -> str:  # noqa: FBT001 - the value is what is worded
    return "unclear" if value is None else str(value).lower()


def _row(
    path: Path, number: int, line: VerdictLine, request_id: UUID, judge: str, source: Source, now: datetime
) -> VerdictRow:
    who = line.judge or judge
    judged_at = None if line.judged_at is None else line.judged_at.astimezone(UTC).replace(tzinfo=None)
    said = line.model_dump(mode="json", exclude={"request_id", "trace_id", "case_id", "run_id", "judge"})
    digest = hashlib.sha256(orjson.dumps([str(request_id), source, who, said], option=orjson.OPT_SORT_KEYS))
    return VerdictRow(
        request_id=request_id,
        subject=line.subject,
        value=line.value,
        source=source,
        config=digest.hexdigest()[:32],
        judged_at=judged_at or now,
        judge=who,
        target=line.target,
        claim_id=line.claim_id,
        claim=line.claim,
        score=line.score,
        reason=line.reason,
        repeat_no=line.repeat_no,
        origin=f"{path}:{number}",
    )


def _fresh(con: "DuckDBPyConnection", rows: list[VerdictRow], lines: dict[int, VerdictLine]) -> list[VerdictRow]:
    dated = [lines[int((row.origin or "").rpartition(":")[2])].judged_at is not None for row in rows]
    con.register("incoming_config", pa.table({"config": [row.config for row in rows], "dated": dated}))
    try:
        known = {config for (config,) in con.execute(read_query("judging", "known_verdicts").body).fetchall()}
    finally:
        con.unregister("incoming_config")
    return [row for row in rows if row.config not in known]
