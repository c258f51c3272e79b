"""``ragfault import --follow``: until a signal ends it."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otel_ragfault.cli.output import note
from otel_ragfault.errors import InputError
from otel_ragfault.jobs.build import Built, build_requests
from otel_ragfault.landing.importing.follow import Follower, Hooks
from otel_ragfault.store import connect

if TYPE_CHECKING:
    from otel_ragfault.landing import ImportReport
    from otel_ragfault.model.mapping import ConventionMapping

_BUILD_WAIT = 2.0


def follow_files(
    db: Path, files: Sequence[Path], mapping: "tuple[ConventionMapping, ...]", poll: float
) -> "tuple[ImportReport, Built]":
    """Follow files until SIGTERM or Ctrl-C; return what was done. A second Ctrl-C ends at once.

    Raises:
        InputError: something else than files and folders was named.
        DatabaseError: the database cannot be used.
    """
    for path in files:
        _check(path)
    builder = _Builder(db, mapping)
    with _signals() as stop:
        report = Follower(files, db, Hooks(builder.build, note), poll=poll).run(stop)
    return report, builder.built


def _check(path: Path) -> None:
    if not path.exists():
        note(f"{path}: no such file yet; it is read when it is there")
    elif not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: something that is not a file; a file that grows was wanted; check the path")


class _Builder:
    """Builds requests when spans were loaded."""

    def __init__(self, db: Path, mapping: "tuple[ConventionMapping, ...]") -> None:
        self._db = db
        self._mapping = mapping
        self.built = Built(0, 0)

    def build(self) -> None:
        if not self._db.exists():
            return
        with connect(self._db, wait=_BUILD_WAIT) as con:
            built = build_requests(con, mapping=self._mapping)
        self.built = Built(self.built.traces + built.traces, self.built.requests + built.requests)


@contextmanager
def _signals() -> Iterator[threading.Event]:
    """Yield an event that the first signal sets; the next one does what it does without us."""
    stop = threading.Event()
    before: dict[signal.Signals, Any] = {}

    def end(number: int, _frame: object) -> None:
        stop.set()
        signal.signal(number, before[signal.Signals(number)])

    for one in (signal.SIGINT, signal.SIGTERM):
        before[one] = signal.signal(one, end)
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
