"""What a segment holds, decoded and ready to be stored."""

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from otel_ragfault.landing.decoding.row import SPAN_SCHEMA
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Landed:
    """How many spans were stored, were there before (or twice in the batch), and were set aside; and log records.

    Log records are looked for only where a file brought them: ``log_duplicates`` were there before, or twice in it. Of
    the ``unusable`` ones, ``unusable_known`` were counted when the file was read before.
    """

    spans: int = 0
    duplicates: int = 0
    unusable: int = 0
    logs: int = 0
    log_duplicates: int = 0
    unusable_known: int = 0

    def __add__(self, other: "Landed") -> "Landed":
        return Landed(
            self.spans + other.spans,
            self.duplicates + other.duplicates,
            self.unusable + other.unusable,
            self.logs + other.logs,
            self.log_duplicates + other.log_duplicates,
            self.unusable_known + other.unusable_known,
        )


@dataclass(frozen=True, slots=True)
class Rejected:
    """Spans that cannot be stored, or a piece of a segment that is none; ``kept_in`` says where it was put.

    With a ``content_id``, they are of a file that may be read again, and are counted once.
    """

    reason: str
    spans: int
    size: int | None = None
    kept_in: str | None = None
    content_id: uuid.UUID | None = None


@dataclass(slots=True)
class Batch:
    """The content of one segment. ``size`` is the bytes of its ``file``; a batch may come without one.

    ``file_logs`` are log records that are not stored when equal ones are.
    """

    segment_id: uuid.UUID
    source: str
    spans: pa.Table = field(default_factory=SPAN_SCHEMA.empty_table)
    logs: pa.Table = field(default_factory=LOG_SCHEMA.empty_table)
    file_logs: pa.Table = field(default_factory=LOG_SCHEMA.empty_table)
    rejected: list[Rejected] = field(default_factory=list)
    file: "Path | None" = None
    size: int = 0

    @property
    def unusable(self) -> int:
        """Spans and log records that were set aside, as far as they can be counted."""
        return sum(rejected.spans for rejected in self.rejected)


def with_segment(batches: list[Batch], column: str) -> pa.Table:
    """Return one of the tables of several segments, such as ``spans``, each row with the id of its segment."""
    return pa.concat_tables(
        getattr(batch, column).append_column("segment_id", _repeat(batch.segment_id, getattr(batch, column).num_rows))
        for batch in batches
    )


def _repeat(segment_id: uuid.UUID, count: int) -> pa.Array:
    storage = pa.repeat(pa.scalar(segment_id.bytes, pa.binary(16)), count)
    return pa.ExtensionArray.from_storage(pa.uuid(), storage)
