"""Store decoded segments: new spans, log records, and a line for each segment in the ledger, in one transaction."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa

from otel_ragfault.landing.loader.batch import Batch, Landed, with_segment
from otel_ragfault.landing.loader.windows import search_windows
from otel_ragfault.landing.spool import crash_point
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SPANS, _LOGS = "landing_batch", "landing_log"


def store(con: "DuckDBPyConnection", batches: Sequence[Batch]) -> dict[UUID, Landed]:
    """Store segments in one transaction; those that are in the ledger already are left out.

    Args:
        con: a connection that may write, without a transaction under way.
        batches: the segments.

    Returns:
        What was stored, by segment; without those that were there.

    Raises:
        duckdb.Error: nothing of any of them was stored.
    """
    with transaction(con):
        known = _known(con, batches)
        fresh = {batch.segment_id: batch for batch in reversed(batches) if batch.segment_id not in known}
        stored = _store_fresh(con, [*reversed(fresh.values())]) if fresh else {}
        crash_point("loader.before_commit")
    crash_point("loader.after_commit")
    return stored


def _known(con: "DuckDBPyConnection", batches: Sequence[Batch]) -> set[UUID]:
    ids = sorted(str(batch.segment_id) for batch in batches)
    parameters = {"segment_ids": ids, "earliest": ids[0], "latest": ids[-1]}
    rows = con.execute(read_query("landing", "segment_known").body, parameters).fetchall()
    return {row[0] for row in rows}


def _store_fresh(con: "DuckDBPyConnection", batches: list[Batch]) -> dict[UUID, Landed]:
    counts = _insert_spans(con, with_segment(batches, "spans"))
    _insert_logs(con, with_segment(batches, "logs"))
    now = datetime.now(UTC).replace(tzinfo=None)
    stored = {}
    for batch in batches:
        new = counts.get(batch.segment_id, 0)
        landed = Landed(new, batch.spans.num_rows - new, batch.unusable, batch.logs.num_rows)
        _enter(con, batch, landed, now)
        stored[batch.segment_id] = landed
    return stored


def _insert_spans(con: "DuckDBPyConnection", spans: pa.Table) -> dict[UUID, int]:
    if not spans.num_rows:
        return {}
    con.register(_SPANS, spans.append_column("position", pa.array(range(spans.num_rows), pa.uint32())))
    con.execute(read_query("landing", "span_fresh").body, search_windows(spans["start_time"]))
    con.execute(read_query("landing", "span_insert").body)
    counts = con.execute(read_query("landing", "span_count").body).fetchall()
    con.unregister(_SPANS)
    return dict(counts)


def _insert_logs(con: "DuckDBPyConnection", logs: pa.Table) -> None:
    if logs.num_rows:
        con.register(_LOGS, logs)
        con.execute(read_query("landing", "log_insert").body)
        con.unregister(_LOGS)


def _enter(con: "DuckDBPyConnection", batch: Batch, landed: Landed, now: datetime) -> None:
    shared: dict[str, Any] = {"segment_id": str(batch.segment_id), "landed_at": now}
    ledger = {
        "source": batch.source,
        "spans": landed.spans,
        "duplicates": landed.duplicates,
        "logs": landed.logs,
        "rejected": landed.unusable,
    }
    con.execute(read_query("landing", "segment_insert").body, shared | ledger)
    for rejected in batch.rejected:
        piece = {
            "reason": rejected.reason,
            "spans": rejected.spans,
            "bytes": rejected.size,
            "kept_in": rejected.kept_in,
        }
        con.execute(read_query("landing", "rejected_insert").body, shared | piece)
