"""Snapshots as they are stored: as the difference to the one that they are most like, in the series of that one.

The newest snapshot of a series is the one that the next is compared with. A chunk is stored once for as long as it
stays the same, with the first and the last place of the series at which it is there, so that every snapshot can be
read, and dropped, without regard to the others.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from otel_ragfault.errors import InputError
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class Stored:
    """How a snapshot was stored: its ``base_id`` (``None``: on its own), and how many chunks had to be ``stored``."""

    base_id: str | None
    stored: int


def store_snapshot(con: "DuckDBPyConnection", snapshot_id: str, source: str, observed_at: datetime | None) -> Stored:
    """Store the relation ``incoming_chunk`` as a snapshot that does not exist yet.

    Args:
        con: a database in a transaction.
        snapshot_id: the identity of the snapshot.
        source: name of the file it came from.
        observed_at: when the index was seen, where ``incoming_chunk`` leaves that to the snapshot.
    """
    nearest = con.execute(read_query("corpus", "nearest").body).fetchone()
    series, before, base_id = (None, 0, None) if nearest is None else nearest[:3]
    con.execute(read_query("corpus", "difference").body, {"series": series})
    con.execute(read_query("corpus", "close_chunks").body, {"place": before})
    if series is None:
        series = _number(con, "SELECT coalesce(max(series), 0) + 1 FROM corpus_snapshot")
    con.execute(read_query("corpus", "store_chunks").body, {"series": series, "place": before + 1})
    con.execute(
        read_query("corpus", "insert_snapshot").body,
        {
            "snapshot_id": snapshot_id,
            "chunks": _number(con, "SELECT count(*) FROM incoming_chunk"),
            "source": source,
            "loaded_at": datetime.now(UTC).replace(tzinfo=None),
            "series": series,
            "place": before + 1,
            "observed_at": observed_at,
        },
    )
    stored = _number(con, "SELECT count(chunk_id) FROM corpus_difference")
    con.execute("DROP TABLE corpus_difference")
    return Stored(base_id, stored)


def forget_snapshot(con: "DuckDBPyConnection", snapshot_id: str) -> bool:
    """Remove a snapshot, in a transaction of the caller's; return whether it was there. No other one changes.

    What quotes of gold resolved to in it goes with it; the ids of rankings will be held against another one.
    """
    gone = con.execute(read_query("corpus", "drop_snapshot").body, {"snapshot_id": snapshot_id}).fetchone()
    if gone is None:
        return False
    for name in ("reopen_chunks", "drop_chunks"):
        con.execute(read_query("corpus", name).body, {"series": gone[0]})
    for name in ("drop_resolved_evidence", "drop_resolved_quotes", "release_requests"):
        con.execute(read_query("corpus", name).body, {"snapshot_id": snapshot_id})
    return True


def drop_snapshot(con: "DuckDBPyConnection", snapshot_id: str) -> None:
    """Remove a snapshot. Labels that were made with it stay.

    Raises:
        InputError: there is no such snapshot.
    """
    require_snapshot(con, snapshot_id)
    with transaction(con):
        forget_snapshot(con, snapshot_id)


def require_snapshot(con: "DuckDBPyConnection", snapshot_id: str) -> None:
    """Check that a snapshot is loaded.

    Raises:
        InputError: it is not.
    """
    loaded = [row[0] for row in con.execute(read_query("corpus", "snapshot_ids").body).fetchall()]
    if snapshot_id not in loaded:
        held = f"the newest is {loaded[0]!r}" if loaded else "none is loaded"
        raise InputError(
            f"snapshot {snapshot_id!r} is not loaded, {held}; "
            "name one that ragfault corpus list shows, or load it with ragfault corpus load"
        )


def _number(con: "DuckDBPyConnection", sql: str) -> int:
    row = con.execute(sql).fetchone()
    return 0 if row is None else int(row[0])
