"""Import files of OTLP requests."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.errors import InputError
from otel_ragfault.landing.content import Content
from otel_ragfault.landing.decoding.logs import DecodedLogs
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.row import SpanRow, to_table
from otel_ragfault.landing.decoding.row_log import LogRow, to_log_table
from otel_ragfault.landing.decoding.set_aside import content_id
from otel_ragfault.landing.importing.files import Record, open_file, read_records
from otel_ragfault.landing.importing.report import ImportReport, Problem
from otel_ragfault.landing.importing.requests import decode_record
from otel_ragfault.landing.sink import ContentSink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    import pyarrow as pa

    from otel_ragfault.landing.importing.requests import Requests
    from otel_ragfault.landing.sink import SpanSink

Progress = Callable[[int, int], None]
"""Called with the bytes read so far and the bytes of all files."""

_BATCH_ROWS = 10_000
_BATCH_BYTES = 32 * 1024 * 1024


def import_files(paths: Iterable[str | Path], sink: "SpanSink", *, on_progress: Progress | None = None) -> ImportReport:
    """Import files of OTLP requests, in every form that :mod:`~otel_ragfault.landing.importing.files` reads.

    What is not OTLP is reported with file and line, and the rest goes in. Spans that are stored already are not stored
    again, nor are log records that are equal to a stored one in every field, so a file may be imported twice.

    Args:
        paths: the files, and folders of them, in any order.
        sink: where spans and log records go, such as a :class:`~otel_ragfault.landing.SpoolSink`; requests of logs are
            skipped when it keeps spans only.
        on_progress: called after each request with the bytes read and the bytes in all.

    Raises:
        InputError: a path is not a file that can be read; nothing was imported.
        DatabaseError: the sink failed; what it took before is stored, and importing again continues.
    """
    files = [file for path in paths for file in files_of(Path(path))]
    sizes = [_checked_size(path) for path in files]
    total = sum(sizes)
    report = ImportReport()
    done = 0
    for path, size in zip(files, sizes, strict=True):
        importer = FileImport(path, sink, report)
        for record, position in _records(path):
            importer.take(record)
            if on_progress is not None:
                on_progress(min(done + position, total), total)
        importer.finish()
        done += size
    if on_progress is not None:
        on_progress(total, total)
    return report


def _records(path: Path) -> "Iterator[tuple[Record, int]]":
    """Read a file; one that vanished meanwhile, or cannot be read to its end, has a problem and costs only itself."""
    try:
        yield from read_records(path)
    except OSError as error:
        yield Record(None, 0, problem=f"cannot be read ({error.strerror or error}); what came before was read"), 0


def files_of(path: Path) -> list[Path]:
    """Return the files directly in a folder, by name, without hidden ones; of anything else, itself.

    Raises:
        InputError: the folder has none, or cannot be read.
    """
    try:
        if not path.is_dir():
            return [path]
        files = sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    if not files:
        raise InputError(f"{path}: a directory without files; files of OTLP requests were wanted; name another one")
    return files


def _unreadable(path: Path, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"{path}: {reason}; a file that can be read was wanted; check its permissions")


def _checked_size(path: Path) -> int:
    try:
        if not path.is_file():
            found = "something that is not a file" if path.exists() else "no such file"
            raise InputError(f"{path}: {found}; a file of OTLP requests was wanted; check the path")
        with open_file(path) as file:
            return os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


class FileImport:
    """The requests of one file on their way into the sink, in batches of bounded size.

    Args:
        path: the file.
        sink: where they go.
        report: counts what becomes of them.
    """

    def __init__(self, path: Path, sink: "SpanSink", report: ImportReport) -> None:
        self._path = path
        self._sink = sink
        self._keeper = sink if isinstance(sink, ContentSink) else None
        self._report = report
        self._clear()
        self._seen = False

    def _clear(self) -> None:
        self._rows: list[SpanRow] = []
        self._logs: list[LogRow] = []
        self._set_aside: dict[UUID, Counter[str]] = {}
        self._unusable: Counter[str] = Counter()
        self._bytes = 0

    def take(self, record: Record) -> None:
        """Take a record; what is in it is kept, or waits for more. A problem with it is noted."""
        self._seen = True
        try:
            if record.other_export is not None:
                self._report.passed_over[self._path] = record.other_export
            elif record.rows is not None:
                self.flush()
                if record.rows.num_rows:
                    self._keep(record.rows)
            else:
                decoded = decode_record(record, self._report.skipped, logs=self._keeper is not None)
                self._add(decoded, record)
        except MalformedError as error:
            self._report.add_problem(Problem(self._path, record.line, str(error)))

    @property
    def waiting(self) -> bool:
        """Whether something is waiting for more to come."""
        return bool(self._rows or self._logs or self._set_aside)

    def _add(self, decoded: "Requests", record: Record) -> None:
        unusable: Counter[str] = Counter()
        for part in decoded:
            if isinstance(part, DecodedLogs):
                self._logs += part.rows
            else:
                self._rows += part.rows
            unusable += part.unusable
        if unusable:
            self._set_aside[content_id(record.content)] = unusable
            self._unusable += unusable
        self._bytes += record.size
        waiting = len(self._rows) + len(self._logs) + len(self._set_aside)
        if waiting >= _BATCH_ROWS or self._bytes >= _BATCH_BYTES:
            self.flush()

    def finish(self) -> None:
        """Keep what waits, and count the file."""
        if not self._seen:
            self._report.add_problem(Problem(self._path, None, "an empty file; OTLP requests were wanted"))
        self.flush()
        self._report.files += 1

    def flush(self) -> None:
        """Keep what waits."""
        if self.waiting:
            self._keep(to_table(self._rows))
        self._clear()

    def _keep(self, spans: "pa.Table") -> None:
        source = f"import:{self._path.name}"
        if self._keeper is None:
            landed = self._sink.write(spans, source=source)
        else:
            landed = self._keeper.keep(Content(spans, to_log_table(self._logs), self._set_aside), source=source)
        self._report.unusable += self._unusable
        self._report.add_landed(landed)
