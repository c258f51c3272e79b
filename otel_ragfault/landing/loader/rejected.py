"""Enter what a load sets aside in ``rejected_span``; what a file brings again is counted once."""

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from duckdb import DuckDBPyConnection

    from otel_ragfault.landing.loader.batch import Batch, Rejected

_ARRIVING, _LANDING = "arriving_rejected", "landing_rejected"
_SCHEMA: Final = pa.schema(
    {
        "segment_id": pa.uuid(),
        "reason": pa.string(),
        "spans": pa.uint64(),
        "bytes": pa.uint64(),
        "kept_in": pa.string(),
        "landed_at": pa.timestamp("us"),
        "content_id": pa.uuid(),
    }
)


def enter_rejected(
    con: "DuckDBPyConnection", batches: "Sequence[Batch]", now: "datetime"
) -> "dict[UUID, list[Rejected]]":
    """Enter what segments set aside and is not counted yet; return that, by segment.

    Raises:
        duckdb.Error: it cannot be entered.
    """
    pairs = [(batch, rejected) for batch in batches for rejected in batch.rejected]
    entered: dict[UUID, list[Rejected]] = {batch.segment_id: [] for batch in batches}
    if not pairs:
        return entered
    table = pa.table(
        [
            _ids([batch.segment_id for batch, _ in pairs]),
            [rejected.reason for _, rejected in pairs],
            [rejected.spans for _, rejected in pairs],
            [rejected.size for _, rejected in pairs],
            [rejected.kept_in for _, rejected in pairs],
            [now] * len(pairs),
            _ids([rejected.content_id for _, rejected in pairs]),
        ],
        schema=_SCHEMA,
    )
    con.register(_ARRIVING, table.append_column("position", pa.array(np.arange(len(pairs), dtype=np.uint32))))
    fresh = [row[0] for row in con.execute(read_query("landing", "rejected_fresh").body).fetchall()]
    con.unregister(_ARRIVING)
    con.register(_LANDING, table.take(pa.array(fresh, pa.uint32())))
    con.execute(read_query("landing", "rejected_insert").body)
    con.unregister(_LANDING)
    for position in fresh:
        batch, rejected = pairs[position]
        entered[batch.segment_id].append(rejected)
    return entered


def _ids(ids: "Sequence[UUID | None]") -> pa.Array:
    storage = pa.array([None if one is None else one.bytes for one in ids], pa.binary(16))
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)
