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
from otel_ragfault.landing.decoding.set_aside import read_counts
from otel_ragfault.landing.loader.aside import REJECTED, TORN, keep_aside
from otel_ragfault.landing.loader.batch import Batch, Rejected
from otel_ragfault.landing.spool.record import RecordKind, SpoolRecord
from otel_ragfault.landing.spool.segment import read_segment

if TYPE_CHECKING:
    from pathlib import Path

_UNTABLED = "a value that no column takes"
_Make = Callable[[Sequence[Any]], pa.Table]


def decode_segment(path: "Path") -> Batch:
    """Read and decode a segment file.

    Raises:
        OSError: it cannot be read, or what is set aside cannot be written; the segment has to stay.
    """
    segment = read_segment(path)
    batch = Batch(segment.segment_id, segment.source, file=path, size=len(segment.content))
    tables = _Tables()
    for record in segment.records:
        try:
            tables.take(record)
        except Exception as error:  # noqa: BLE001 - whatever a record holds, it must not cost the others
            kept = keep_aside(path.parent, REJECTED, f"{path.stem}.{record.offset}.record", record.payload)
            batch.rejected.append(Rejected(_reason(error), record.spans, len(record.payload), kept))
    for damage in segment.damages:
        piece = segment.content[damage.offset : damage.offset + damage.length]
        kept = keep_aside(path.parent, TORN, f"{path.stem}.{damage.offset}.piece", piece)
        batch.rejected.append(Rejected(damage.reason, 0, damage.length, kept))
    batch.rejected += [Rejected(reason, count) for reason, count in tables.unusable.items()]
    batch.spans, batch.logs, batch.file_logs = tables.spans(), tables.logs(), tables.file_logs()
    return batch


def _reason(error: Exception) -> str:
    return f"not decodable: {' '.join(str(error).split())[:200] or type(error).__name__}"


class _Tables:
    """The rows of a segment, while its records are read."""

    def __init__(self) -> None:
        self.unusable: Counter[str] = Counter()
        self._spans: list[pa.Table] = []
        self._logs: list[pa.Table] = []
        self._file_logs: list[pa.Table] = []

    def take(self, record: SpoolRecord) -> None:
        if record.kind == RecordKind.OTLP_TRACES:
            traces = decode_protobuf(bytes(record.payload))
            self._spans += self._tables(traces.rows, to_table)
            self.unusable += traces.unusable
        elif record.kind == RecordKind.SPAN_ROWS:
            self._spans.append(read_rows(record.payload, SPAN_SCHEMA))
        elif record.kind == RecordKind.OTLP_LOGS:
            logs = decode_logs_protobuf(bytes(record.payload))
            self._logs += self._tables(logs.rows, to_log_table)
            self.unusable += logs.unusable
        elif record.kind == RecordKind.LOG_ROWS:
            self._logs.append(read_rows(record.payload, LOG_SCHEMA))
        elif record.kind == RecordKind.FILE_LOG_ROWS:
            self._file_logs.append(read_rows(record.payload, LOG_SCHEMA))
        elif record.kind == RecordKind.SET_ASIDE:
            self.unusable += read_counts(record.payload)
        else:
            raise ValueError(f"a record of kind {record.kind}, which this release does not know")

    def spans(self) -> pa.Table:
        return pa.concat_tables(self._spans) if self._spans else SPAN_SCHEMA.empty_table()

    def logs(self) -> pa.Table:
        return pa.concat_tables(self._logs) if self._logs else LOG_SCHEMA.empty_table()

    def file_logs(self) -> pa.Table:
        return pa.concat_tables(self._file_logs) if self._file_logs else LOG_SCHEMA.empty_table()

    def _tables(self, rows: Sequence[Any], make: _Make) -> list[pa.Table]:
        """Make a table, or, when a row fits no column, as many as it takes to leave only that row out."""
        try:
            return [make(rows)]
        except (pa.ArrowException, ValueError, TypeError, OverflowError):
            half = len(rows) // 2
            if not half:
                self.unusable[_UNTABLED] += 1
                return []
        return self._tables(rows[:half], make) + self._tables(rows[half:], make)
