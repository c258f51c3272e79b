"""Store decoded segments: new spans, log records, and a line for each segment in the ledger, in one transaction.

OTLP gives a log record no identity. In files it is all of its fields, times to the nanosecond included, so that a file
may be imported twice, and by two at once. Of receivers none is looked for: what a sender sends twice is stored twice.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np
import pyarrow as pa

from otel_ragfault.landing.loader.batch import Batch, Landed, Rejected, with_segment
from otel_ragfault.landing.loader.rejected import enter_rejected
from otel_ragfault.landing.loader.windows import log_windows, search_windows
from otel_ragfault.landing.spool import crash_point
from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SPANS, _LOGS, _FILE_LOGS = "landing_batch", "landing_log", "arriving_log"


def store(con: "DuckDBPyConnection", batches: Sequence[Batch]) -> dict[UUID, Landed]:
    """Store segments in one transaction; those that are in the ledger already are left out.

    Args:
        con: a connection that may write, without a transaction under way.
        batches: the segments.

    Returns:
        What was stored, by segment; without those that were there. What a segment set aside and was counted before is
        taken out of its batch.

    Raises:
        duckdb.Error: nothing of any of them was stored.
    """
    with transaction(con):
        known = _known(con, batches)
        fresh = {batch.segment_id: batch for batch in reversed(batches) if batch.segment_id not in known}
        stored, entered = _store_fresh(con, [*reversed(fresh.values())]) if fresh else ({}, {})
        crash_point("loader.before_commit")
    crash_point("loader.after_commit")
    for segment_id, rejected in entered.items():  # not before it is committed: a load that failed is tried again
        fresh[segment_id].rejected = rejected
    return stored


def _known(con: "DuckDBPyConnection", batches: Sequence[Batch]) -> set[UUID]:
    ids = sorted(str(batch.segment_id) for batch in batches)
    parameters = {"segment_ids": ids, "earliest": ids[0], "latest": ids[-1]}
    rows = con.execute(read_query("landing", "segment_known").body, parameters).fetchall()
    return {row[0] for row in rows}


def _store_fresh(
    con: "DuckDBPyConnection", batches: list[Batch]
) -> tuple[dict[UUID, Landed], dict[UUID, list[Rejected]]]:
    counts = _insert_spans(con, batches)
    _insert_logs(con, with_segment(batches, "logs"))
    new_logs = _insert_file_logs(con, with_segment(batches, "file_logs"))
    now = datetime.now(UTC).replace(tzinfo=None)
    entered = enter_rejected(con, batches, now)
    stored = {}
    for batch in batches:
        new, logs = counts.get(batch.segment_id, 0), new_logs[batch.segment_id]
        landed = stored[batch.segment_id] = Landed(
            spans=new,
            duplicates=batch.spans.num_rows - new,
            unusable=batch.unusable,
            logs=batch.logs.num_rows + logs,
            log_duplicates=batch.file_logs.num_rows - logs,
            unusable_known=batch.unusable - sum(rejected.spans for rejected in entered[batch.segment_id]),
        )
        _enter(con, batch, landed, now)
    return stored, entered


def _insert_spans(con: "DuckDBPyConnection", batches: list[Batch]) -> dict[UUID, int]:
    spans = with_segment(batches, "spans")
    if not spans.num_rows:
        return {}
    con.register(_SPANS, spans.append_column("position", pa.array(np.arange(spans.num_rows, dtype=np.uint32))))
    found = con.execute(read_query("landing", "span_fresh").body, search_windows(spans["start_time"])).fetchone()
    if found == (spans.num_rows,):
        con.execute(read_query("landing", "span_insert_all").body)
        counts = {batch.segment_id: batch.spans.num_rows for batch in batches}
    else:
        con.execute(read_query("landing", "span_insert").body)
        counts = dict(con.execute(read_query("landing", "span_count").body).fetchall())
    con.unregister(_SPANS)
    return counts


def _insert_logs(con: "DuckDBPyConnection", logs: pa.Table) -> None:
    if logs.num_rows:
        con.register(_LOGS, logs)
        con.execute(read_query("landing", "log_insert").body)
        con.unregister(_LOGS)


def _insert_file_logs(con: "DuckDBPyConnection", logs: pa.Table) -> Counter[UUID]:
    if not logs.num_rows:
        return Counter()
    con.register(_FILE_LOGS, logs.append_column("position", pa.array(np.arange(logs.num_rows, dtype=np.uint32))))
    rows = con.execute(read_query("landing", "log_fresh").body, log_windows(logs)).fetchall()
    con.unregister(_FILE_LOGS)
    fresh = logs.take(pa.array([row[0] for row in rows], pa.uint32()))
    _insert_logs(con, fresh)
    return Counter(fresh["segment_id"].to_pylist())


def _enter(con: "DuckDBPyConnection", batch: Batch, landed: Landed, now: datetime) -> None:
    ledger: dict[str, Any] = {
        "segment_id": str(batch.segment_id),
        "source": batch.source,
        "spans": landed.spans,
        "duplicates": landed.duplicates,
        "logs": landed.logs,
        "rejected": landed.unusable - landed.unusable_known,
        "landed_at": now,
    }
    con.execute(read_query("landing", "segment_insert").body, ledger)
