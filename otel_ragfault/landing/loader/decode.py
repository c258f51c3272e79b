"""A segment of the spool to a batch: every record decoded, what cannot be is set aside and counted.

Nothing in a record may fail its segment. A decoder repairs or refuses single spans; a record that it cannot read at
all, for whatever reason, is kept as a file.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from otel_ragfault.landing.decoding.logs_protobuf import decode_logs_protobuf
from otel_ragfault.landing.decoding.protobuf import decode_protobuf
from otel_ragfault.landing.decoding.row import SPAN_SCHEMA, to_table
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA, to_log_table
from otel_ragfault.landing.decoding.rows import read_rows
from otel_ragfault.landing.decoding.set_aside import read_contents, read_counts
from otel_ragfault.landing.loader.aside import REJECTED, TORN, keep_aside
from otel_ragfault.landing.loader.batch import Batch, Rejected
from otel_ragfault.landing.spool.record import RecordKind, SpoolRecord
from otel_ragfault.landing.spool.segment import read_segment

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

_UNTABLED = "a value that no column takes"
_ROWS_A_PIECE = 10_000
_Make = Callable[[Sequence[Any]], pa.Table]


def decode_segment(path: "Path") -> Batch:
    """Read and decode a segment file.

    Raises:
        OSError: it cannot be read, or what is set aside cannot be written; the segment has to stay.
        MemoryError: there is too little for it now.
    """
    segment = read_segment(path)
    batch = Batch(segment.segment_id, segment.source, file=path, size=len(segment.content))
    tables = _Tables()
    for record in segment.records:
        try:
            tables.take(record)
        except MemoryError:  # says nothing about the record
            raise
        except Exception as error:  # noqa: BLE001 - whatever a record holds, it must not cost the others
            kept = keep_aside(path.parent, REJECTED, f"{path.stem}.{record.offset}.record", record.payload)
            batch.rejected.append(Rejected(_reason(error), record.spans, len(record.payload), kept))
    for damage in segment.damages:
        piece = segment.content[damage.offset : damage.offset + damage.length]
        kept = keep_aside(path.parent, TORN, f"{path.stem}.{damage.offset}.piece", piece)
        batch.rejected.append(Rejected(damage.reason, 0, damage.length, kept))
    batch.spans, batch.logs, batch.file_logs = tables.spans.table(), tables.logs.table(), tables.file_logs.table()
    batch.rejected += [Rejected(reason, count) for reason, count in tables.unusable.items()]
    for content, counts in tables.contents.items():
        batch.rejected += [Rejected(reason, count, content_id=content) for reason, count in counts.items()]
    return batch


def _reason(error: Exception) -> str:
    return f"not decodable: {' '.join(str(error).split())[:200] or type(error).__name__}"


class _Tables:
    """The rows of a segment, while its records are read."""

    def __init__(self) -> None:
        self.unusable: Counter[str] = Counter()
        self.contents: dict[UUID, Counter[str]] = {}
        self.spans = _Rows(SPAN_SCHEMA, to_table, self.unusable)
        self.logs = _Rows(LOG_SCHEMA, to_log_table, self.unusable)
        self.file_logs = _Rows(LOG_SCHEMA, to_log_table, self.unusable)

    def take(self, record: SpoolRecord) -> None:
        if record.kind == RecordKind.OTLP_TRACES:
            traces = decode_protobuf(bytes(record.payload))
            self.spans.add(traces.rows)
            self.unusable.update(traces.unusable)
        elif record.kind == RecordKind.SPAN_ROWS:
            self.spans.add_table(read_rows(record.payload, SPAN_SCHEMA))
        elif record.kind == RecordKind.OTLP_LOGS:
            logs = decode_logs_protobuf(bytes(record.payload))
            self.logs.add(logs.rows)
            self.unusable.update(logs.unusable)
        elif record.kind == RecordKind.LOG_ROWS:
            self.logs.add_table(read_rows(record.payload, LOG_SCHEMA))
        elif record.kind == RecordKind.FILE_LOG_ROWS:
            self.file_logs.add_table(read_rows(record.payload, LOG_SCHEMA))
        elif record.kind == RecordKind.SET_ASIDE:
            self.unusable.update(read_counts(record.payload))
        elif record.kind == RecordKind.FILE_SET_ASIDE:
            self.contents |= read_contents(record.payload)
        else:
            raise ValueError(f"a record of kind {record.kind}, which this release does not know")


class _Rows:
    """The rows for one table, in their order. Those of many records become one piece: each piece has its price.

    Args:
        schema: of the table.
        make: what makes a table of rows.
        unusable: counts rows that fit no column.
    """

    def __init__(self, schema: pa.Schema, make: _Make, unusable: Counter[str]) -> None:
        self._schema = schema
        self._make = make
        self._unusable = unusable
        self._waiting: list[Any] = []
        self._pieces: list[pa.Table] = []

    def add(self, rows: Sequence[Any]) -> None:
        self._waiting += rows
        if len(self._waiting) >= _ROWS_A_PIECE:
            self._flush()

    def add_table(self, table: pa.Table) -> None:
        self._flush()
        self._pieces.append(table)

    def table(self) -> pa.Table:
        self._flush()
        return pa.concat_tables(self._pieces) if self._pieces else self._schema.empty_table()

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        if rows:
            self._pieces += self._tables(rows)

    def _tables(self, rows: Sequence[Any]) -> list[pa.Table]:
        """Make a table, or, when a row fits no column, as many as it takes to leave only that row out."""
        try:
            return [self._make(rows)]
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - whatever a row holds, it must not cost the others
            half = len(rows) // 2
            if not half:
                self._unusable[_UNTABLED] += 1
                return []
        return self._tables(rows[:half]) + self._tables(rows[half:])
