"""The row of a log record, and how rows become an Arrow table."""

from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence


class LogRow(NamedTuple):
    """One row of the table ``log_record``, without its segment; values as in a row of ``span``."""

    time: int | None
    observed_time: int | None
    trace_id: bytes | None
    span_id: int | None
    severity_number: int | None
    severity_text: str | None
    event_name: str | None
    service: str | None
    scope_name: str | None
    scope_version: str | None
    body: str | None
    attributes: str
    resource: str | None
    scope: str | None
    flags: int | None
    dropped_attributes_count: int
    repairs: str | None


_TEXT = pa.large_string()
_TYPES = {
    "time": pa.timestamp("ns"),
    "observed_time": pa.timestamp("ns"),
    "trace_id": pa.uuid(),
    "span_id": pa.uint64(),
    "severity_number": pa.uint8(),
    "flags": pa.uint32(),
    "dropped_attributes_count": pa.uint32(),
}

LOG_SCHEMA = pa.schema([(name, _TYPES.get(name, _TEXT)) for name in LogRow._fields])
"""The Arrow schema of log records: the columns of the table ``log_record`` except ``segment_id``, in their order."""


def to_log_table(rows: "Sequence[LogRow]") -> pa.Table:
    """Turn rows into a batch with the schema :data:`LOG_SCHEMA`."""
    if not rows:
        return LOG_SCHEMA.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table([_array(values, field.type) for values, field in zip(columns, LOG_SCHEMA, strict=True)], LOG_SCHEMA)


def _array(values: tuple[object, ...], kind: pa.DataType) -> pa.Array:
    if kind == _TYPES["trace_id"]:
        return pa.ExtensionArray.from_storage(kind, pa.array(values, pa.binary(16)))
    return pa.array(values, kind)
