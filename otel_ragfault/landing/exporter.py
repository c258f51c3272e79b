"""The in-process exporter: from the SDK straight into the database."""

import concurrent.futures.thread  # noqa: F401 - see below
import logging
import os
import threading
import time
import weakref
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY, attach, detach, set_value
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from otel_ragfault.landing.backlog import Backlog
from otel_ragfault.landing.decode_sdk import decode_spans
from otel_ragfault.landing.row import to_table
from otel_ragfault.landing.sink import DatabaseSink, is_busy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa
    from opentelemetry.sdk.trace import ReadableSpan

# A TracerProvider's fork hook starts a thread pool, and waits for ever in the child when the pool's module registered
# its own fork hook later than the provider did. Imported here, it comes before a provider that uses this exporter.

_logger = logging.getLogger(__name__)
_SOURCE = "exporter"
_IMPATIENT = 0.05
_FLUSH_MILLIS = 30_000
_PAUSE = 0.1


@dataclass(frozen=True, slots=True)
class ExporterStats:
    """What an exporter did so far, in spans; ``failed`` counts attempts to write that failed."""

    exported: int = 0
    duplicates: int = 0
    unusable: int = 0
    failed: int = 0
    pending: int = 0
    dropped: int = 0


class DuckDBSpanExporter(SpanExporter):
    """Write spans into a DuckDB file, created where there is none.

    The file is opened for each batch and closed at once, so several processes may write to one path. While it cannot
    be written (in use, disk full), spans are kept in memory and written with a later export, flush or shutdown. Nothing
    raises into the pipeline: failures are counted in :attr:`stats` and logged once per kind.

    Args:
        path: the database.
        wait: seconds an export waits for another process that holds the database.
        max_pending_spans: how many spans are kept while it cannot be written; more are dropped and counted.
    """

    def __init__(self, path: "str | Path", *, wait: float = 1.0, max_pending_spans: int = 100_000) -> None:
        self._sink = DatabaseSink(path, wait=wait)
        self._wait = wait
        self._bound = max_pending_spans
        self._closed = False
        self._start_clean()
        _exporters.add(self)

    def _start_clean(self) -> None:
        self._lock = threading.RLock()
        self._writing = False
        self._backlog = Backlog(self._bound)
        self._stats = ExporterStats()
        self._logged: set[str] = set()

    @property
    def stats(self) -> ExporterStats:
        """The counts so far."""
        return replace(self._stats, pending=self._backlog.spans)

    def export(self, spans: "Sequence[ReadableSpan]") -> SpanExportResult:
        """Write ended spans; ``FAILURE`` when they, or older ones, had to be kept for later."""
        with _uninstrumented():
            try:
                done = self._export(spans)
            except Exception as error:  # noqa: BLE001 - telemetry never breaks the host
                self._failed(error)
                done = False
        return SpanExportResult.SUCCESS if done else SpanExportResult.FAILURE

    def force_flush(self, timeout_millis: float = _FLUSH_MILLIS) -> bool:
        """Write what is pending, trying again until the time is over; return whether nothing is left."""
        with _uninstrumented():
            try:
                return self._flush(time.monotonic() + timeout_millis / 1000)
            except Exception as error:  # noqa: BLE001 - telemetry never breaks the host
                self._failed(error)
                return False

    def shutdown(self, timeout_millis: float = _FLUSH_MILLIS) -> None:
        """Write what is pending within the time, and accept nothing more. What is left then is dropped and counted."""
        if self._closed:
            return
        self._closed = True
        if not self.force_flush(timeout_millis):
            self._drop(self._backlog.clear(), "not written before shutdown")

    def _export(self, spans: "Sequence[ReadableSpan]") -> bool:
        if self._closed:
            self._drop(len(spans), "exported after shutdown")
            return False
        decoded = decode_spans(spans)
        unusable = decoded.unusable.total()
        with self._lock:
            if unusable:
                self._count(unusable=unusable)
                self._log_once("unusable", f"spans set aside: {dict(decoded.unusable)}")
            wait = _IMPATIENT if self._backlog.spans else self._wait  # a queue fills up behind an export that waits
            self._backlog.add(to_table(decoded.rows))
            done = self._drain(wait)
            self._drop(self._backlog.trim(), f"more than {self._bound} spans were pending")
        return done

    def _flush(self, deadline: float) -> bool:
        if not self._lock.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return False
        try:
            while not self._drain(max(0.0, deadline - time.monotonic())):
                if time.monotonic() + _PAUSE > deadline:
                    return False
                time.sleep(_PAUSE)
        finally:
            self._lock.release()
        return True

    def _drain(self, wait: float) -> bool:
        if self._writing:  # a span ended while this thread was writing: the write under way, or the next, takes it
            return False
        self._writing = True
        deadline = time.monotonic() + wait
        try:
            self._backlog.drain(lambda batch: self._write(batch, max(0.0, deadline - time.monotonic())))
        except Exception as error:  # noqa: BLE001 - whatever it was, the batch is still there
            self._failed(error)
        finally:
            self._writing = False
        return not self._backlog.spans

    def _write(self, batch: "pa.Table", wait: float) -> None:
        landed = self._sink.write(batch, source=_SOURCE, wait=wait)
        self._count(exported=landed.spans, duplicates=landed.duplicates, unusable=landed.unusable)

    def _failed(self, error: Exception) -> None:
        self._count(failed=1)
        kind = "in use" if is_busy(error) else type(error.__cause__ or error).__name__
        self._log_once(kind, f"spans are kept in memory, up to {self._bound}: {error}")

    def _drop(self, spans: int, reason: str) -> None:
        if spans:
            self._count(dropped=spans)
            self._log_once(reason, f"spans dropped: {reason}")

    def _count(self, **more: int) -> None:
        with self._lock:
            self._stats = replace(
                self._stats, **{name: getattr(self._stats, name) + count for name, count in more.items()}
            )

    def _log_once(self, kind: str, message: str) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            _logger.warning("%s: %s", self._sink.path, message)


@contextmanager
def _uninstrumented() -> "Iterator[None]":
    token = attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))  # noqa: FBT003 - the key's documented value
    try:
        yield
    finally:
        detach(token)


_exporters: "weakref.WeakSet[DuckDBSpanExporter]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for exporter in _exporters:  # what is pending is the parent's to write
        exporter._start_clean()  # noqa: SLF001 - same module


os.register_at_fork(after_in_child=_after_fork_in_child)
