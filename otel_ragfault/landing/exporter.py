"""The in-process exporter: from the SDK into the spool, and from there into the database."""

import concurrent.futures.thread  # noqa: F401 - see below
import logging
import os
import threading
import time
import weakref
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY, attach, detach, set_value
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.background import Background
from otel_ragfault.landing.decoding.row import to_table
from otel_ragfault.landing.decoding.rows import write_rows
from otel_ragfault.landing.decoding.sdk import decode_spans
from otel_ragfault.landing.decoding.set_aside import write_counts
from otel_ragfault.landing.spool import RecordKind, SpoolError, SpoolFullError, SpoolWriter

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from opentelemetry.sdk.trace import ReadableSpan

# A TracerProvider's fork hook starts a thread pool, and waits for ever in the child when the pool's module registered
# its own fork hook later than the provider did. Imported here, it comes before a provider that uses this exporter.

_logger = logging.getLogger(__name__)
_SOURCE = "exporter"
_FLUSH_MILLIS = 30_000
_LAST_WAIT = 1.0
_SEGMENT_AGE = 2.0
_GIB = 2**30
_NOWHERE = Path(os.devnull)
_UNUSABLE_PATH = "path"


@dataclass(frozen=True, slots=True)
class ExporterStats:
    """What an exporter did so far, in spans.

    Attributes:
        exported: are durable, in the spool or in the database.
        unusable: could not become rows; the table ``rejected_span`` says why.
        dropped: could not be kept, because the spool was full or could not be written.
        failed: how many exports that were (not spans).
        loaded: were loaded into the database by this process, those of other processes included.
        duplicates: were in the database already, of those that this process loaded.
    """

    exported: int = 0
    unusable: int = 0
    dropped: int = 0
    failed: int = 0
    loaded: int = 0
    duplicates: int = 0


class DuckDBSpanExporter(SpanExporter):
    """Write spans beside a DuckDB file, durable when ``export`` returns ``SUCCESS``, and load them into it.

    Several processes may write to one path, and may fork. While somebody else holds the database, spans wait in its
    spool (``PATH.spool/``); what a process leaves there is loaded by the next one that exports, or by ``ragfault load``
    and the commands that read the database. Nothing raises into the pipeline: failures are counted in :attr:`stats` and
    logged once per kind.

    Args:
        path: the database; created where there is none.
        load_every: seconds between two loads, in a thread of its own; ``None`` never loads here. Commands that read the
            database load first what waits in the spool, so that this is no measure of how old their figures are.
        max_spool_bytes: bound on the spool, those of other processes included; beyond it exports fail.
    """

    def __init__(self, path: str | Path, *, load_every: float | None = 3600.0, max_spool_bytes: int = 2 * _GIB) -> None:
        self._path = Path(path)
        self._load_every = load_every
        self._max_spool_bytes = max_spool_bytes
        self._closed = False
        self._refusal = _refusal(self._path)
        self._start_clean()
        if self._refusal is not None:
            self._log_once(_UNUSABLE_PATH, f"spans are dropped: {self._refusal}")
        _exporters.add(self)

    def _start_clean(self) -> None:
        self._lock = threading.Lock()
        self._stats = ExporterStats()
        self._logged: set[str] = set()
        place = self._path if self._refusal is None else _NOWHERE
        self._writer = SpoolWriter(
            place, source=_SOURCE, max_bytes=self._max_spool_bytes, segment_age=_SEGMENT_AGE
        )  # nothing is written before there is a span
        self._background = Background(place, self._writer, self._load_every)
        weakref.finalize(self, self._background.let_go).atexit = False

    @property
    def stats(self) -> ExporterStats:
        """The counts so far."""
        loaded = self._background.stats
        return replace(self._stats, loaded=loaded.spans, duplicates=loaded.duplicates)

    def export(self, spans: "Sequence[ReadableSpan]") -> SpanExportResult:
        """Keep ended spans; they are durable when this returns ``SUCCESS``."""
        with _uninstrumented():
            try:
                self._export(spans)
            except Exception as error:  # noqa: BLE001 - telemetry never breaks the host
                self._failed(len(spans), error)
                return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def force_flush(self, timeout_millis: float = _FLUSH_MILLIS) -> bool:
        """Load what is in the spool; return whether nothing is left. Spans that are left are as durable as before."""
        return self._finish(time.monotonic() + timeout_millis / 1000)

    def shutdown(self, timeout_millis: float = _FLUSH_MILLIS) -> None:
        """Accept nothing more, and load what is in the spool, unless somebody else holds the database."""
        if self._closed:
            return
        self._closed = True
        deadline = time.monotonic() + timeout_millis / 1000
        with _uninstrumented():
            self._background.stop(max(0.0, deadline - time.monotonic()))
            self._finish(deadline, _LAST_WAIT)
            self._close_writer(deadline)

    def _export(self, spans: "Sequence[ReadableSpan]") -> None:
        if self._closed:
            raise DatabaseError("exported after shutdown; shut down later")
        if self._refusal is not None:
            raise DatabaseError(self._refusal)
        decoded = decode_spans(spans)
        if decoded.rows:
            content = write_rows(to_table(decoded.rows))
            self._writer.append(RecordKind.SPAN_ROWS, content, spans=len(decoded.rows))
            self._count(exported=len(decoded.rows))
        if decoded.unusable:
            self._set_aside(decoded.unusable)
        self._background.start()

    def _set_aside(self, unusable: "Counter[str]") -> None:
        """Count spans that cannot become rows, here and, when they are loaded, in the table ``rejected_span``."""
        self._count(unusable=unusable.total())
        self._log_once("unusable", f"spans set aside: {dict(unusable)}")
        with suppress(SpoolError):  # sending these spans again would not help
            self._writer.append(RecordKind.SET_ASIDE, write_counts(unusable), spans=0)

    def _finish(self, deadline: float, patience: float = float("inf")) -> bool:
        with _uninstrumented():
            try:
                if self._load_every is None:
                    self._writer.seal()
                    return True
                return self._background.load(deadline, patience)
            except Exception as error:  # noqa: BLE001 - telemetry never breaks the host
                if self._writer.records:  # or else there is nothing of ours that waits
                    self._log_once(f"load: {type(error).__name__}", f"spans wait in the spool: {_in_words(error)}")
                return False

    def _close_writer(self, deadline: float) -> None:
        try:
            self._writer.close(max(0.0, deadline - time.monotonic()))
        except Exception as error:  # noqa: BLE001 - telemetry never breaks the host
            self._log_once("close", f"spans wait in the spool: {_in_words(error)}")

    def _failed(self, spans: int, error: Exception) -> None:
        self._count(failed=1, dropped=spans)
        if self._refusal is None:
            kind = "full" if isinstance(error, SpoolFullError) else type(error).__name__
            self._log_once(kind, f"spans dropped: {_in_words(error)}")

    def _count(self, **more: int) -> None:
        with self._lock:
            self._stats = replace(
                self._stats, **{name: getattr(self._stats, name) + count for name, count in more.items()}
            )

    def _log_once(self, kind: str, message: str) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            _logger.warning("%s: %s", self._path, message)

    def after_fork_in_child(self) -> None:
        """Start anew: what the parent has is the parent's."""
        self._start_clean()


def _refusal(path: Path) -> str | None:
    """Return why there can never be a database at a path; ``None`` when it may be tried, perhaps later."""
    if not path.name:
        return f"{str(path)!r} names no file; the path of a database was wanted; check what db= was given"
    try:
        found = "a directory" if path.is_dir() else None
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
    return found and f"{found}; the path of a database was wanted; name a file"


def _in_words(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}; a folder that can be written was wanted; check the path and its permissions"
    return str(error) or type(error).__name__


@contextmanager
def _uninstrumented() -> "Iterator[None]":
    token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))  # noqa: FBT003 - the key's documented value
    try:
        yield
    finally:
        detach(token)


_exporters: "weakref.WeakSet[DuckDBSpanExporter]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for exporter in list(_exporters):
        exporter.after_fork_in_child()


os.register_at_fork(after_in_child=_after_fork_in_child)
