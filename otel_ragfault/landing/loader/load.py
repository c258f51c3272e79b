"""Empty a spool: in one call, or for as long as a process lives."""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader.passes import Passes
from otel_ragfault.landing.loader.stats import LoaderStats, LoadReport
from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.landing.spool.folder import SEALED, list_files

Progress = Callable[[int, int], None]
"""Called with the bytes that are loaded and the bytes that there were in all."""

_logger = logging.getLogger(__name__)
_IDLE = 0.2
_GAP = 0.06  # between two loads: long enough for whoever looks for a free database every 25 ms
_LONGEST_GAP = 2.0
_PATIENCE = 10.0


def load_spool(
    db: str | Path, *, wait: float = 10.0, until_empty: bool = True, on_progress: Progress | None = None
) -> LoadReport:
    """Load sealed segments, and those of dead processes, into the database, which is created where there is none.

    Segments that a living process is writing stay its own. Where there is no spool, nothing happens.

    Args:
        db: the database.
        wait: seconds to wait, each time, for another process that holds the database or loads the spool.
        until_empty: go on until no segment is left, or load a moment's worth of them only.
        on_progress: called after each step.

    Raises:
        DatabaseError: the database or the spool cannot be used, or stays in use. What was loaded before stays; the
            rest waits in the spool.
    """
    passes = Passes(db)
    report = LoadReport()
    done, total = 0, _sealed_bytes(db)
    with closing(passes):
        while passes.run_once(time.monotonic() + wait, report):
            left = _sealed_bytes(db)
            done, total = max(done, total - left), max(total, left)
            if on_progress is not None:
                on_progress(done, total)
            if not until_empty:
                break
    return report


def _sealed_bytes(db: str | Path) -> int:
    return sum(file.size for file in list_files(spool_folder(db), SEALED))


class SpoolLoader:
    """The loader of a process that lives long: loads what is sealed, and leaves the database to others in between.

    Args:
        db: the database.
    """

    def __init__(self, db: str | Path) -> None:
        self._stop = threading.Event()
        self._passes = Passes(db, on_wait=lambda: not self._stop.is_set(), alone=True)

    @property
    def stats(self) -> LoaderStats:
        """The counts so far; they change while the loader runs."""
        return self._passes.stats

    def run(self, stop: threading.Event) -> None:
        """Load until ``stop`` is set. Failures are counted and logged, and tried again; nothing is raised."""
        self._stop = stop
        with closing(self._passes):
            gap = _GAP
            while not stop.wait(gap):
                gap = self._once(gap)

    def _once(self, gap: float) -> float:
        """Load once; return for how long to leave the database to others."""
        try:
            removed = self._passes.run_once(time.monotonic() + _PATIENCE, LoadReport())
        except DatabaseError as error:
            self._note(error)
            return min(_LONGEST_GAP, gap * 2)
        except Exception:
            _logger.exception("the loader failed, and goes on")
            return _LONGEST_GAP
        return _GAP if removed else _IDLE

    def _note(self, error: DatabaseError) -> None:
        stats = self.stats
        if str(error) != stats.last_error and not self._stop.is_set():
            stats.last_error = str(error)
            _logger.warning("%s", error)
