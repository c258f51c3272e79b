"""Store a batch of spans in a database that is open already."""

import uuid
from contextlib import closing
from typing import TYPE_CHECKING

from otel_ragfault.landing.loader.batch import Batch, Landed
from otel_ragfault.landing.loader.store import store

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection


def land(con: "DuckDBPyConnection", batch: "pa.Table", *, source: str) -> Landed:
    """Store a batch in one transaction: the spans that are new, and a line in the ledger.

    Args:
        con: a connection that may write.
        batch: spans, with the schema :data:`~otel_ragfault.landing.SPAN_SCHEMA`.
        source: where they come from, for the ledger.

    Raises:
        duckdb.Error: nothing of the batch was stored.
    """
    if not batch.num_rows:
        return Landed()
    segment = Batch(uuid.uuid4(), source, spans=batch)
    with closing(con.cursor()) as cursor:  # views and transaction are ours, whatever the caller has under way
        return store(cursor, [segment])[segment.segment_id]
