"""The thread that seals a segment which has become old while nobody appended."""

import threading
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from otel_ragfault.landing.spool.errors import SpoolError

if TYPE_CHECKING:
    from otel_ragfault.landing.spool.writer import SpoolWriter


class Sealer:
    """Seals the segments of one writer when they are ``age`` seconds old. The thread begins with the first segment."""

    def __init__(self, age: float) -> None:
        self._age = age
        self._opened = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, writer: "SpoolWriter") -> None:
        """Seal the segment that was just opened when its time has come."""
        self._opened.set()
        if self._thread is None and self._age <= threading.TIMEOUT_MAX:
            thread = threading.Thread(
                target=self._run, args=(weakref.ref(writer),), name="ragfault-spool-sealer", daemon=True
            )
            with suppress(RuntimeError):  # the interpreter is ending: the loader finds the segment of a dead process
                thread.start()
                self._thread = thread

    def stop(self) -> None:
        """Let the thread end."""
        self._stop.set()
        self._opened.set()

    def _run(self, writer: "weakref.ref[SpoolWriter]") -> None:
        while True:
            self._opened.wait()
            self._opened.clear()
            if self._stop.wait(self._age):
                return
            alive = writer()
            if alive is None:
                return
            with suppress(SpoolError):  # it lies there unlocked, and a loader takes it all the same
                alive.seal_if_due()
            del alive
