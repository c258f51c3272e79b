"""The thread that loads the spool while a process exports into it."""

import atexit
import logging
import os
import sys
import threading
import time
import weakref
from contextlib import suppress
from functools import partial
from pathlib import Path

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader import LoaderStats, LoadReport
from otel_ragfault.landing.loader.passes import Passes
from otel_ragfault.landing.spool import SpoolWriter
from otel_ragfault.landing.spool.folder import SEALED, list_files

_logger = logging.getLogger(__name__)
_LAST_WAIT = 5.0
_NICE = 5
_NAME = "ragfault-loader"


class Background:
    """Seals what a writer has, and loads what is sealed, now and then or when asked.

    Args:
        db: the database.
        writer: the writer of this process.
        every: seconds between two loads; ``None`` loads only when asked.
    """

    def __init__(self, db: str | Path, writer: SpoolWriter, every: float | None) -> None:
        self._writer = writer
        self._every = every
        self._stop = threading.Event()
        self._loading = threading.Lock()  # passes are not safe for threads
        self._passes = Passes(db, partial(_goes_on, self._stop), gentle=True)
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        _backgrounds.add(self)

    @property
    def stats(self) -> LoaderStats:
        """What was loaded so far."""
        return self._passes.stats

    def start(self) -> None:
        """Begin to load now and then, unless that has begun."""
        if self._thread is not None or self._every is None:
            return
        with self._starting:
            if self._thread is None and not self._stop.is_set():
                thread = threading.Thread(target=self._run, name=_NAME, daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the interpreter is ending; the spans are in the spool
                    return
                self._thread = thread

    def _run(self) -> None:
        every = self._every or 0.0
        _step_back()
        seen = -1
        while not self._stop.wait(every):
            records = self._writer.records
            if records == seen and not list_files(self._writer.folder, SEALED):
                continue
            try:
                self.load(time.monotonic() + every)
                seen = records
            except DatabaseError as error:  # in use, or not there: the spans wait in the spool
                _logger.debug("%s", error)
            except Exception:
                _logger.exception("spans could not be loaded, and wait in %s", self._writer.folder)

    def load(self, deadline: float, patience: float = float("inf")) -> bool:
        """Seal, and load until nothing is left or the deadline is over; return whether nothing is left.

        Args:
            deadline: on the monotonic clock.
            patience: seconds to wait, each time, for somebody else who holds the database.

        Raises:
            DatabaseError: the database or the spool cannot be used, or stays in use.
        """
        if not self._loading.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return False
        try:
            self._writer.seal()
            while self._passes.run_once(min(deadline, time.monotonic() + patience), LoadReport()):
                if time.monotonic() > deadline:
                    break
        finally:
            self._loading.release()
        return not list_files(self._writer.folder, SEALED)

    def stop(self, timeout: float = _LAST_WAIT) -> None:
        """End the thread; a load under way is waited for, so long as the timeout allows."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def let_go(self) -> None:
        """End the thread when it comes round, without waiting."""
        self._stop.set()


def _goes_on(stop: threading.Event) -> bool:
    """Return whether a database in use is waited for: not by a thread of ours that has to end."""
    return threading.current_thread().name != _NAME or not stop.is_set()


def _step_back() -> None:
    """Let the pipeline go first, where threads have a priority of their own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


_backgrounds: "weakref.WeakSet[Background]" = weakref.WeakSet()


@atexit.register
def _at_exit() -> None:
    for background in list(_backgrounds):  # DuckDB must not be at work while the interpreter is taken down
        background.stop()
