"""Import files of OTLP requests."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otel_ragfault.errors import InputError
from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.protobuf import decode_protobuf
from otel_ragfault.landing.decoding.row import SpanRow, to_table
from otel_ragfault.landing.importing.files import Record, read_records
from otel_ragfault.landing.importing.report import ImportReport, Problem

if TYPE_CHECKING:
    import pyarrow as pa

    from otel_ragfault.landing.decoding.build import Decoded
    from otel_ragfault.landing.sink import SpanSink

Progress = Callable[[int, int], None]
"""Called with the bytes read so far and the bytes of all files."""

_BATCH_SPANS = 10_000
_BATCH_BYTES = 32 * 1024 * 1024
_OTHER_SIGNALS = {
    "resourceLogs": "logs",
    "resource_logs": "logs",
    "resourceMetrics": "metrics",
    "resource_metrics": "metrics",
    "resourceProfiles": "profiles",
    "resource_profiles": "profiles",
}
_SPANS = frozenset({"resourceSpans", "resource_spans"})


def import_files(paths: Iterable[str | Path], sink: "SpanSink", *, on_progress: Progress | None = None) -> ImportReport:
    """Import files of OTLP requests, in every form that :mod:`~otel_ragfault.landing.importing.files` reads.

    What is not OTLP is reported with file and line, and the rest goes in. Spans that are stored already are not stored
    again, so a file may be imported twice.

    Args:
        paths: the files, and folders of them, in any order.
        sink: where the spans go, such as a :class:`~otel_ragfault.landing.SpoolSink`.
        on_progress: called after each request with the bytes read and the bytes in all.

    Raises:
        InputError: a path is not a file that can be read; nothing was imported.
        DatabaseError: the sink failed; what it took before is stored, and importing again continues.
    """
    files = [file for path in paths for file in files_of(Path(path))]
    total = sum(_checked_size(path) for path in files)
    report = ImportReport()
    done = 0
    for path in files:
        importer = FileImport(path, sink, report)
        for record, position in read_records(path):
            importer.take(record)
            if on_progress is not None:
                on_progress(min(done + position, total), total)
        importer.finish()
        done = min(done + path.stat().st_size, total)
    if on_progress is not None:
        on_progress(total, total)
    return report


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
        with path.open("rb"):
            return path.stat().st_size
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


class FileImport:
    """The requests of one file on their way into the sink, in batches of bounded size."""

    def __init__(self, path: Path, sink: "SpanSink", report: ImportReport) -> None:
        self._path = path
        self._sink = sink
        self._report = report
        self._rows: list[SpanRow] = []
        self._bytes = 0
        self._seen = False

    def take(self, record: Record) -> None:
        """Take a record; what is in it is kept, or waits for more. A problem with it is noted."""
        self._seen = True
        try:
            if record.rows is not None:
                self.flush()
                self._write(record.rows)
            else:
                self._add(self._decode(record), record.size)
        except MalformedError as error:
            self._report.add_problem(Problem(self._path, record.line, str(error)))

    @property
    def waiting(self) -> bool:
        """Whether spans are waiting for more to come."""
        return bool(self._rows)

    def _decode(self, record: Record) -> "Iterable[Decoded]":
        if record.problem is not None:
            raise MalformedError(record.problem)
        if record.protobuf is not None:
            return [decode_protobuf(record.protobuf)]
        requests = record.json if isinstance(record.json, list) and record.line is None else [record.json]
        return [decode_json(request) for request in requests if self._is_spans(request)]

    def _is_spans(self, request: Any) -> bool:
        if not isinstance(request, dict) or not request or not _SPANS.isdisjoint(request):
            return True
        others = [_OTHER_SIGNALS[name] for name in request if name in _OTHER_SIGNALS]
        if not others:
            raise MalformedError(f"an object without resourceSpans (it has {_names(request)})")
        self._report.skipped.update(others)
        return False

    def _add(self, decoded: "Iterable[Decoded]", size: int) -> None:
        for part in decoded:
            self._rows += part.rows
            self._report.unusable.update(part.unusable)
        self._bytes += size
        if len(self._rows) >= _BATCH_SPANS or self._bytes >= _BATCH_BYTES:
            self.flush()

    def finish(self) -> None:
        """Keep what waits, and count the file."""
        if not self._seen:
            self._report.add_problem(Problem(self._path, None, "an empty file; OTLP requests were wanted"))
        self.flush()
        self._report.files += 1

    def flush(self) -> None:
        """Keep what waits."""
        if self._rows:
            self._write(to_table(self._rows))
        self._rows = []
        self._bytes = 0

    def _write(self, table: "pa.Table") -> None:
        self._report.add_landed(self._sink.write(table, source=f"import:{self._path.name}"))


def _names(request: dict[str, Any]) -> str:
    return ", ".join(str(name)[:40] for name in list(request)[:3])
