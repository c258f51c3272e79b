"""A verdict as a row, and how rows are stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

import pyarrow as pa

from otel_ragfault.sql import read_query

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SCHEMA: Final = pa.schema(
    {
        "request_id": pa.string(),
        "subject": pa.string(),
        "target": pa.string(),
        "claim_id": pa.string(),
        "claim": pa.string(),
        "value": pa.bool_(),
        "score": pa.float64(),
        "reason": pa.string(),
        "failure": pa.string(),
        "source": pa.string(),
        "judge": pa.string(),
        "config": pa.string(),
        "prompt_version": pa.string(),
        "extractor_version": pa.string(),
        "repeat_no": pa.uint32(),
        "judged_at": pa.timestamp("us"),
        "origin": pa.string(),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictRow:
    """A row of the table ``verdict``; its columns are explained there. Times are UTC without a zone."""

    request_id: UUID
    subject: str
    value: bool | None
    source: str
    config: str
    judged_at: datetime
    judge: str | None = None
    target: str | None = None
    claim_id: str | None = None
    claim: str | None = None
    score: float | None = None
    reason: str | None = None
    failure: str | None = None
    prompt_version: str | None = None
    extractor_version: str | None = None
    repeat_no: int = 1
    origin: str | None = None


def insert_verdicts(con: "DuckDBPyConnection", rows: Iterable[VerdictRow]) -> int:
    """Add verdicts, in the caller's transaction where there is one; return how many."""
    columns: dict[str, list[object]] = {name: [] for name in _SCHEMA.names}
    for row in rows:
        for name, values in columns.items():
            values.append(str(row.request_id) if name == "request_id" else getattr(row, name))
    table = pa.table(columns, schema=_SCHEMA)
    if not table.num_rows:
        return 0
    con.register("incoming_verdict", table)
    try:
        con.execute(read_query("judging", "insert_opinions").body)
    finally:
        con.unregister("incoming_verdict")
    return int(table.num_rows)
