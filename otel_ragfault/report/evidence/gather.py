"""Gather a record out of the database."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from otel_ragfault import __version__
from otel_ragfault.errors import InputError
from otel_ragfault.report.card import find_cards
from otel_ragfault.report.evidence.document import EvidenceRecord, Writer
from otel_ragfault.report.evidence.minimum import boundaries
from otel_ragfault.report.evidence.rows import Row, parts, read_rows
from otel_ragfault.report.evidence.verify import hashes, rules, verify_evidence
from otel_ragfault.store import SCHEMA_VERSION

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def gather_evidence(con: "DuckDBPyConnection", needle: str, *, run_id: str | None = None) -> EvidenceRecord:
    """Return the record of a request: the newest of a case, or the one that a trace or request id names.

    Args:
        con: a database open for reading.
        needle: a case id, trace id or request id.
        run_id: the labelling; by default the newest of the request.

    Raises:
        InputError: there is no such request, it has no label, or the label no longer follows from what is stored.
    """
    request_id, trace_id, run_id = _found(con, needle, run_id)
    rows = _rows(con, request_id, run_id)
    [label] = rows["label"]
    now = datetime.now(UTC)
    record = EvidenceRecord(
        written_at=now.isoformat(timespec="seconds"),
        written_by=Writer(tool="otel-ragfault", version=__version__, schema_version=SCHEMA_VERSION, rules=rules()),
        case_id=label["case_id"],
        request_id=request_id,
        trace_id=trace_id,
        label=label["label"],
        outcome=label["outcome"],
        boundaries=boundaries(rows),
        texts=hashes(rows),
        rows={part: tuple(found) for part, found in rows.items()},
    )
    record = record.model_copy(update={"digest": record.digested()})
    problems = verify_evidence(record).problems
    if problems:
        raise InputError(
            f"{needle!r}: its label of run {run_id} no longer follows from what is stored ({problems[0]}): "
            "gold, verdicts or records have changed since; label again"
        )
    return record


def _found(con: "DuckDBPyConnection", needle: str, run_id: str | None) -> tuple[str, str, str]:
    cards = find_cards(con, needle, limit=1)
    if not cards:
        raise InputError(f"{needle!r}: no request has this case id, trace id or request id; see ragfault show")
    request_id = cards[0]["request_id"]
    runs = con.execute(
        "SELECT run_id FROM label WHERE request_id = CAST(? AS UUID) ORDER BY run_id DESC", [request_id]
    ).fetchall()
    known = [found for (found,) in runs]
    if not known:
        raise InputError(f"{needle!r}: the request has no label; run: ragfault label --db DB")
    if run_id is not None and run_id not in known:
        raise InputError(f"{run_id!r}: no labelling of this request; one of {', '.join(known[:3])} was wanted")
    return request_id, cards[0]["trace_id"], run_id or known[0]


def _rows(con: "DuckDBPyConnection", request_id: str, run_id: str) -> dict[str, list[Row]]:
    parameters: dict[str, Any] = {"request_id": request_id, "run_id": run_id, "case_id": None, "snapshot_id": None}
    rows: dict[str, list[Row]] = {}
    for part in parts():
        if part == "gold_case":
            parameters["case_id"] = rows["label"][0]["case_id"]
            parameters["snapshot_id"] = _snapshot(con, rows)
        rows[part] = read_rows(con, part, parameters)
    return rows


def _snapshot(con: "DuckDBPyConnection", rows: dict[str, list[Row]]) -> str | None:
    """Return the loaded snapshot that the request is held against."""
    wanted = rows["request"][0].get("snapshot_id") or rows["label_run"][0]["config"].get("default_snapshot")
    found = con.execute(
        "SELECT snapshot_id FROM corpus_snapshot WHERE snapshot_id = coalesce(?, snapshot_id) "
        "ORDER BY loaded_at DESC LIMIT 1",
        [wanted],
    ).fetchone()
    return None if found is None else str(found[0])
