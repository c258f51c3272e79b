"""What a file brings to the spool at one time, and how it is written into it."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from otel_ragfault.landing.decoding.row import SPAN_SCHEMA
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA
from otel_ragfault.landing.decoding.rows import write_rows
from otel_ragfault.landing.decoding.set_aside import write_contents
from otel_ragfault.landing.spool import RecordKind

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    import pyarrow as pa

    from otel_ragfault.landing.loader import Landed
    from otel_ragfault.landing.spool import SpoolWriter


@dataclass(frozen=True, slots=True)
class Content:
    """Spans and log records, with the schemas of their rows, and the counts of what could become neither.

    Those are by reason, for each part of a file (:func:`~otel_ragfault.landing.decoding.set_aside.content_id`).

    They come from files, which may be read again: what is stored already is not stored again.
    """

    spans: "pa.Table" = field(default_factory=SPAN_SCHEMA.empty_table)
    logs: "pa.Table" = field(default_factory=LOG_SCHEMA.empty_table)
    set_aside: "Mapping[UUID, Counter[str]]" = field(default_factory=dict)

    @property
    def set_aside_count(self) -> int:
        """How many spans and log records were set aside."""
        return sum(counts.total() for counts in self.set_aside.values())

    def records(self) -> "Iterator[tuple[RecordKind, bytes, int]]":
        """Yield kind, payload and number of spans of the records that keep it; none when it is empty."""
        if self.set_aside:
            yield RecordKind.FILE_SET_ASIDE, write_contents(self.set_aside), 0
        if self.logs.num_rows:
            yield RecordKind.FILE_LOG_ROWS, write_rows(self.logs), self.logs.num_rows
        if self.spans.num_rows:
            yield RecordKind.SPAN_ROWS, write_rows(self.spans), self.spans.num_rows

    def told(self, landed: "Landed") -> "Landed":
        """Return what became of it, as one who brought it counts.

        What was set aside before is not counted again. Log records that were there are known also when another
        process's loader stored the rest, though the ledger does not count them.
        """
        refused = max(0, landed.unusable - self.set_aside_count)
        known = max(landed.log_duplicates, self.logs.num_rows - landed.logs - refused)
        return replace(landed, unusable=refused, log_duplicates=known)


class Append(Protocol):
    """Appends a record, as :meth:`~otel_ragfault.landing.spool.SpoolWriter.append` does."""

    def __call__(self, kind: RecordKind, payload: bytes, *, spans: int) -> None:
        """Keep the record; it is durable on return."""
        ...


def append_content(writer: "SpoolWriter", content: Content, append: Append) -> "list[UUID]":
    """Append what there is and seal it; return the segments, in their order. What was set aside is in the first.

    Raises:
        SpoolError: it cannot be kept; what came before is kept.
    """
    sealed: dict[UUID, None] = {}

    def note() -> None:
        if writer.last_sealed is not None:  # a writer seals by itself what becomes large
            sealed[writer.last_sealed] = None

    for kind, payload, spans in content.records():
        append(kind, payload, spans=spans)
        note()
    writer.seal()
    note()
    return list(sealed)
