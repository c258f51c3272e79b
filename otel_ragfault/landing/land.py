"""Store a batch: the spans that are new and a line in the ledger, in one transaction."""

import uuid
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from otel_ragfault.sql import read_query
from otel_ragfault.store import transaction

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_VIEW = "landing_batch"


@dataclass(frozen=True, slots=True)
class Landed:
    """How many spans of a batch were stored, were there before (or twice in it), and could not be stored."""

    spans: int = 0
    duplicates: int = 0
    unusable: int = 0

    def __add__(self, other: "Landed") -> "Landed":
        return Landed(self.spans + other.spans, self.duplicates + other.duplicates, self.unusable + other.unusable)


def land(con: "DuckDBPyConnection", batch: pa.Table, *, source: str) -> Landed:
    """Store a batch in one transaction.

    Args:
        con: a connection that may write.
        batch: spans, with the schema :data:`~otel_ragfault.landing.SPAN_SCHEMA`.
        source: where they come from, for the ledger: ``exporter`` or ``import:<file name>``.

    Raises:
        duckdb.Error: nothing of the batch was stored.
    """
    if not batch.num_rows:
        return Landed()
    segment_id = str(uuid.uuid4())
    with closing(con.cursor()) as cursor:  # the view and the transaction are ours, whatever the caller has under way
        cursor.register(_VIEW, batch.append_column("position", pa.array(range(batch.num_rows), pa.uint32())))
        with transaction(cursor):
            spans = _insert_spans(cursor, batch, segment_id)
            landed = Landed(spans, batch.num_rows - spans)
            _enter_segment(cursor, segment_id, source, landed)
        cursor.unregister(_VIEW)
    return landed


def _insert_spans(con: "DuckDBPyConnection", batch: pa.Table, segment_id: str) -> int:
    starts = batch["start_time"]
    window = pc.min_max(starts.cast(pa.int64()))
    parameters = {
        "segment_id": segment_id,
        "window_start": window["min"].as_py() or 0,
        "window_end": window["max"].as_py() or 0,
        "timeless": starts.null_count > 0,
    }
    rows = con.execute(read_query("landing", "span_insert").body, parameters).fetchall()
    return int(rows[0][0])


def _enter_segment(con: "DuckDBPyConnection", segment_id: str, source: str, landed: Landed) -> None:
    parameters = {
        "segment_id": segment_id,
        "source": source,
        "spans": landed.spans,
        "duplicates": landed.duplicates,
        "landed_at": datetime.now(UTC).replace(tzinfo=None),
    }
    con.execute(read_query("landing", "segment_insert").body, parameters)
