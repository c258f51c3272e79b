"""Map quotes of gold to chunk ids of loaded snapshots, and store what became of each."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from otel_ragfault.errors import InputError
from otel_ragfault.gold.finding import Found, find_quote
from otel_ragfault.gold.library import Chunk, Library
from otel_ragfault.gold.natural import natural_key
from otel_ragfault.gold.resolved import Asked, Member, Placed, Resolved, asked_quotes, required_members
from otel_ragfault.model import GoldCase
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

DEFAULT_THRESHOLD = 0.9
_QUOTES = pa.schema(
    {
        "snapshot_id": pa.string(),
        "case_id": pa.string(),
        "claim_id": pa.string(),
        "group_no": pa.uint32(),
        "member_no": pa.uint32(),
        "state": pa.string(),
        "score": pa.float64(),
        "split": pa.bool_(),
        "chunk_ids": pa.list_(pa.string()),
        "threshold": pa.float64(),
        "gold_version": pa.string(),
        "resolved_at": pa.timestamp("us"),
    }
)
_EVIDENCE = pa.schema(
    {
        "snapshot_id": pa.string(),
        "case_id": pa.string(),
        "group_no": pa.uint32(),
        "member_no": pa.uint32(),
        "chunk_id": pa.string(),
        "quote": pa.string(),
        "gold_group_no": pa.uint32(),
        "split": pa.bool_(),
        "evidence_known": pa.bool_(),
    }
)
Progress = Callable[[int, int], None]

NO_GOLD: Final = "no gold is loaded; load it: ragfault gold load --db DB FILE"
"""What there is to say where gold is wanted and none was ever loaded."""


def resolve_quotes(
    con: "DuckDBPyConnection",
    *,
    snapshot_id: str | None = None,
    threshold: float = DEFAULT_THRESHOLD,
    progress: Progress | None = None,
) -> list[Resolved]:
    """Resolve every quote of the loaded gold anew, in one snapshot or in all that are loaded.

    Args:
        con: a database opened for writing, outside of a transaction.
        snapshot_id: the snapshot; all by default.
        threshold: how alike a text has to be where it is not equal.
        progress: called with the quotes done and the quotes in all.

    Raises:
        InputError: the snapshot is not loaded.
    """
    chosen = _snapshots(con) if snapshot_id is None else [require_snapshot(con, snapshot_id)]
    stored = con.execute(read_query("gold", "cases_with_quotes").body).fetchall()
    cases = [Placed(GoldCase.model_validate_json(row[2]), row[3] or "", row[4] or 0) for row in stored]
    resolved = look_up(con, cases, threshold, snapshots=chosen, progress=progress)
    with transaction(con):
        for one in chosen:
            con.execute(read_query("gold", "clear_quotes").body, {"snapshot_id": one})
            con.execute(read_query("gold", "clear_evidence").body, {"snapshot_id": one})
        store_resolved(con, resolved, threshold)
    return resolved


def require_snapshot(con: "DuckDBPyConnection", snapshot_id: str) -> str:
    """Return the id of a snapshot in which quotes can be looked for.

    Raises:
        InputError: the snapshot is not loaded.
    """
    snapshots = _snapshots(con)
    if snapshot_id not in snapshots:
        known = ", ".join(repr(one) for one in snapshots) or "none is"
        raise InputError(f"snapshot {snapshot_id!r} is not loaded ({known}); load it, or name another")
    return snapshot_id


def why_no_quote(con: "DuckDBPyConnection") -> str:
    """Say why there is no quote to look for: no gold, no quote in it, or no snapshot; and what to do."""
    if not con.execute("SELECT 1 FROM gold_case LIMIT 1").fetchall():
        return NO_GOLD
    if not con.execute(read_query("gold", "cases_with_quotes").body).fetchall():
        return "no quote to look for: all evidence of the loaded gold is named by chunk id"
    return "no snapshot is loaded to look for quotes in; load one: ragfault corpus load --db DB FILE"


def look_up(
    con: "DuckDBPyConnection",
    cases: Iterable[Placed],
    threshold: float,
    *,
    snapshots: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> list[Resolved]:
    """Look for the quotes of cases in snapshots (all loaded ones by default). Nothing is stored."""
    asked = [quote for placed in cases for quote in asked_quotes(placed)]
    if not asked:
        return []
    chosen = _snapshots(con) if snapshots is None else snapshots
    resolved = []
    for number, snapshot in enumerate(chosen):
        library = _library(con, snapshot, asked)
        done: dict[tuple[str, str | None], Found] = {}
        for place, one in enumerate(asked):
            key = (one.quote.quote, one.quote.doc_id)
            if key not in done:
                done[key] = find_quote(library, one.quote.quote, one.quote.doc_id, threshold)
            resolved.append(Resolved(snapshot, one, done[key]))
            if progress:
                progress(number * len(asked) + place + 1, len(chosen) * len(asked))
    return resolved


def store_resolved(con: "DuckDBPyConnection", resolved: Sequence[Resolved], threshold: float) -> None:
    """Store what became of quotes. It has to run inside a transaction, with what was stored of them before removed."""
    now = datetime.now(UTC).replace(tzinfo=None)
    quotes = [_quote_row(one, threshold, now) for one in resolved]
    evidence = [(snapshot, *astuple(member)) for snapshot, member in _required(resolved)]
    for relation, schema, rows, query in (
        ("incoming_resolved_quote", _QUOTES, quotes, "insert_resolved_quotes"),
        ("incoming_resolved_evidence", _EVIDENCE, evidence, "insert_resolved_evidence"),
    ):
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        con.register(relation, pa.table(dict(zip(schema.names, columns, strict=True)), schema=schema))
        try:
            con.execute(read_query("gold", query).body)
        finally:
            con.unregister(relation)


def _snapshots(con: "DuckDBPyConnection") -> list[str]:
    rows = con.execute("SELECT snapshot_id FROM corpus_snapshot ORDER BY loaded_at, snapshot_id").fetchall()
    return [str(row[0]) for row in rows]


def _library(con: "DuckDBPyConnection", snapshot: str, asked: Iterable[Asked]) -> Library:
    documents = {one.quote.doc_id for one in asked}
    wanted = None if None in documents else sorted(document for document in documents if document is not None)
    query = read_query("gold", "snapshot_texts").body
    rows = con.execute(query, {"snapshot_id": snapshot, "documents": wanted}).fetchall()
    chunks = [Chunk(*row) for row in rows]
    if any(chunk.doc_id is None for chunk in chunks):  # their order is not known; that of their ids is the best guess
        chunks.sort(key=lambda chunk: natural_key(chunk.chunk_id) if chunk.doc_id is None else ())
    return Library(chunks)


def _quote_row(one: Resolved, threshold: float, now: datetime) -> tuple[object, ...]:
    asked, found = one.asked, one.found
    case = asked.placed.case
    place = (one.snapshot_id, case.case_id, asked.claim_id, asked.group_no, asked.member_no)
    return (*place, found.state, found.score, found.split, list(found.chunks), threshold, case.version, now)


def _required(resolved: Iterable[Resolved]) -> Iterable[tuple[str, Member]]:
    cases: dict[str, GoldCase] = {}
    found: dict[tuple[str, str], dict[tuple[int, int], Found]] = defaultdict(dict)
    for one in resolved:
        if one.asked.claim_id is None:
            case = one.asked.placed.case
            cases[case.case_id] = case
            found[one.snapshot_id, case.case_id][one.asked.group_no, one.asked.member_no] = one.found
    for (snapshot, case_id), of_case in found.items():
        for member in required_members(cases[case_id], of_case):
            yield snapshot, member
