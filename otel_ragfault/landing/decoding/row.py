"""The row of a span, and how rows become an Arrow table."""

from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence


class SpanRow(NamedTuple):
    """One row of the table ``span``, without its segment. The order of the fields is the order of the columns.

    Ids are big-endian bytes or integers, times nanoseconds since 1970, JSON columns JSON text. Every text is valid
    Unicode: what could not be stored as sent is described in ``repairs``.
    """

    trace_id: bytes
    span_id: int
    parent_span_id: int | None
    name: str
    kind: int
    start_time: int | None
    end_time: int | None
    status_code: int
    status_message: str | None
    service: str | None
    scope_name: str | None
    scope_version: str | None
    operation: str | None
    stage: str | None
    attributes: str
    events: str | None
    links: str | None
    resource: str | None
    scope: str | None
    trace_state: str | None
    flags: int | None
    dropped_attributes_count: int
    dropped_events_count: int
    dropped_links_count: int
    repairs: str | None


_TEXT = pa.large_string()  # 64-bit offsets: a batch may hold more than 2 GB of text
_TIME = pa.timestamp("ns")
_TYPES = {
    "trace_id": pa.uuid(),
    "span_id": pa.uint64(),
    "parent_span_id": pa.uint64(),
    "kind": pa.uint8(),
    "start_time": _TIME,
    "end_time": _TIME,
    "status_code": pa.uint8(),
    "flags": pa.uint32(),
    "dropped_attributes_count": pa.uint32(),
    "dropped_events_count": pa.uint32(),
    "dropped_links_count": pa.uint32(),
}

SPAN_SCHEMA = pa.schema([(name, _TYPES.get(name, _TEXT)) for name in SpanRow._fields])
"""The Arrow schema of a batch: the columns of the table ``span`` except ``segment_id``, in the order of the row."""


def to_table(rows: "Sequence[SpanRow]") -> pa.Table:
    """Turn rows into a batch with the schema :data:`SPAN_SCHEMA`."""
    if not rows:
        return SPAN_SCHEMA.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table(
        [_array(values, field.type) for values, field in zip(columns, SPAN_SCHEMA, strict=True)], SPAN_SCHEMA
    )


def _array(values: tuple[object, ...], kind: pa.DataType) -> pa.Array:
    if kind == _TYPES["trace_id"]:
        # DuckDB reads the extension type as UUID; storage goes in as it is, without a uuid.UUID a span.
        return pa.ExtensionArray.from_storage(kind, pa.array(values, pa.binary(16)))
    return pa.array(values, kind)
