"""One pass over the spool: decode some segments, hold the database for a moment, remove what is safe."""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from otel_ragfault.errors import DatabaseBusyError, DatabaseError
from otel_ragfault.landing.loader.ahead import Ahead
from otel_ragfault.landing.loader.database import Instance, checkpoint, hold, tune
from otel_ragfault.landing.loader.groups import decode_group, pick_group, rows_of, still_there
from otel_ragfault.landing.loader.recover import recover
from otel_ragfault.landing.loader.sift import sift
from otel_ragfault.landing.loader.stats import LoaderStats, LoadReport
from otel_ragfault.landing.loader.store import store
from otel_ragfault.landing.spool import SpoolError, crash_point, spool_folder
from otel_ragfault.landing.spool.folder import sync_folder
from otel_ragfault.landing.spool.locks import close_known, open_known, try_lock

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from otel_ragfault.landing.loader.batch import Batch

_logger = logging.getLogger(__name__)
_LOCK = "loader.lock"
_PAUSE = 0.02
_HOLD = 0.25  # seconds for which a load should hold the database
_LEAST, _FIRST, _MOST = 2**20, 16 * 2**20, 64 * 2**20  # bytes of segments a load
_NOT_THE_ROWS = (duckdb.OperationalError, duckdb.OutOfMemoryException, duckdb.FatalException)


class Passes:
    """Passes of one loader over the spool of a database. Not safe for threads.

    Args:
        db: the database.
        on_wait: called each time that the database or the spool is in use; waiting ends when it returns false.
        gentle: leave the other cores to the process in which this runs.
        alone: nothing else in this process opens the database.
    """

    def __init__(
        self,
        db: str | Path,
        on_wait: Callable[[], bool] = lambda: True,
        *,
        gentle: bool = False,
        alone: bool = False,
    ) -> None:
        self.db = Path(db).absolute()
        self.folder = spool_folder(self.db)
        self.stats = LoaderStats()
        self._on_wait = on_wait
        self._gentle = gentle
        self._instance = Instance() if alone else None
        self._ahead = None if gentle else Ahead(self.folder)
        self._ready: list[Batch] = []
        self._most = _FIRST

    def run_once(self, deadline: float, report: LoadReport) -> int:
        """Load some segments; return how many files were removed. None: there was nothing, or nothing could be.

        Raises:
            DatabaseError: the database, or the spool, stays in use until the deadline or cannot be used.
        """
        if not self.folder.is_dir():
            return 0
        try:
            with self._alone(deadline):
                report.recovered += recover(self.folder)
                self._make_ready()
                if not self._ready:
                    return 0
                removed = self._load_and_remove(deadline, report)
        except OSError as error:
            raise SpoolError(
                f"{self.folder}: {error.strerror or error}; a folder to read and write was wanted; "
                "check permissions and room"
            ) from error
        report.removed += removed
        return removed

    @contextmanager
    def _alone(self, deadline: float) -> Iterator[None]:
        fd = open_known(self.folder / _LOCK, os.O_CREAT | os.O_RDWR)
        try:
            while not try_lock(fd):
                if not self._on_wait() or time.monotonic() + _PAUSE > deadline:
                    raise DatabaseBusyError(f"{self.folder}: another process is loading it; wait for that to end")
                time.sleep(_PAUSE)
            yield
        finally:
            close_known(fd)

    def _make_ready(self) -> None:
        """Decode what this load takes, unless it was decoded ahead, or for a load that failed."""
        self._ready = still_there(self._ready)
        tried: set[Path] = set()
        while not self._ready:
            if self._ahead is not None and self._ahead.taken:
                batches, failures = self._ahead.take()
                self._ready = still_there(batches)
                for failure in failures:
                    self._failed(SpoolError(failure))
            elif group := pick_group(self.folder, tried, self._most):
                self._ready = decode_group(group, self._failed)
                tried.update(group)  # what cannot be read stays, and must not keep back what comes after it
            else:
                return

    def _load_and_remove(self, deadline: float, report: LoadReport) -> int:
        if self._ahead is not None:  # a few more groups are in memory, however long the database is in use
            self._ahead.ask([batch.file for batch in self._ready if batch.file is not None], self._most)
        return self._remove() if self._load(deadline, report) else 0

    def close(self) -> None:
        """End what was started and kept: processes that decode ahead, an instance of DuckDB."""
        if self._ahead is not None:
            self._ahead.close()
        if self._instance is not None:
            self._instance.close()

    def _load(self, deadline: float, report: LoadReport) -> bool:
        for attempt in (1, 2):
            try:
                return self._load_once(deadline, report)
            except duckdb.Error as error:
                if attempt == 2 or isinstance(error, _NOT_THE_ROWS):  # noqa: PLR2004
                    self._failed(error)
                    raise DatabaseError(
                        f"{self.db}: cannot be written ({' '.join(str(error).split())[:200]}); the spans wait in "
                        f"{self.folder.name}; make room, or restore the database"
                    ) from error
                sift(self._ready, self.folder)
        return False

    def _load_once(self, deadline: float, report: LoadReport) -> bool:
        with hold(self.db, deadline, self._waited, self._instance) as con:
            began = time.monotonic()
            tune(con, rows_of(self._ready), gentle=self._gentle or self._decodes_ahead)
            self._store(con, report)
            safe = checkpoint(con, self.db)
        if safe:
            crash_point("loader.after_checkpoint")
        took = self.stats.hold = time.monotonic() - began
        size = sum(batch.size for batch in self._ready)
        if size > _LEAST:
            self._most = min(_MOST, max(_LEAST, int((self._most + size * _HOLD / took) / 2)))
        return safe

    @property
    def _decodes_ahead(self) -> bool:
        """Whether processes are decoding on the other cores; DuckDB's threads would only wait for one another there."""
        return self._ahead is not None and bool(self._ahead.taken)

    def _store(self, con: "DuckDBPyConnection", report: LoadReport) -> None:
        stored = store(con, self._ready)
        for batch in self._ready:
            landed = stored.get(batch.segment_id)
            if landed is not None:
                self.stats.add(landed, batch)
                report.segments[batch.segment_id] = landed
                report.rejected.update({rejected.reason: rejected.spans or 1 for rejected in batch.rejected})
        if stored:
            self.stats.last_load_at = time.time()

    def _waited(self) -> bool:
        self.stats.lock_waits += 1
        return self._on_wait()

    def _remove(self) -> int:
        batches, self._ready = self._ready, []
        files = [batch.file for batch in batches if batch.file is not None]
        with suppress(OSError):
            self.stats.lag = max(0.0, time.time() - min(file.stat().st_mtime for file in files))
        crash_point("loader.before_unlink")
        for file in files:
            file.unlink(missing_ok=True)
        sync_folder(self.folder)
        crash_point("loader.after_unlink")
        return len(files)

    def _failed(self, error: Exception) -> None:
        self.stats.failures += 1
        if str(error) != self.stats.last_error:
            self.stats.last_error = str(error)
            _logger.warning("%s: %s", self.folder, error)
