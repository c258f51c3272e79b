"""Follow growing files of OTLP requests: what comes goes into the spool at once, into the database now and then."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.deferred import DeferredSink
from otel_ragfault.landing.importing.importer import FileImport
from otel_ragfault.landing.importing.positions import Key, Positions, key_of
from otel_ragfault.landing.importing.report import ImportReport
from otel_ragfault.landing.importing.rotated import Sources
from otel_ragfault.landing.importing.tail import Tail
from otel_ragfault.landing.loader import is_busy
from otel_ragfault.landing.spool import spool_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from otel_ragfault.landing.importing.files import Record

_LOAD_EVERY = 3.0
_LOAD_WAIT = 1.0
_LAST_WAIT = 10.0
_QUIET = 2  # looks without anything new, after which a file that was rotated away is taken to be complete


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a follower calls: ``loaded`` when spans are in the database, ``note`` with what a person should know."""

    loaded: Callable[[], None]
    note: Callable[[str], None]


class Follower:
    """Follows files until it is stopped, and goes on where it stopped when it is started again.

    Args:
        paths: files, which need not exist yet, and folders.
        db: the database.
        hooks: what to call.
        poll: seconds between looks at the files.
    """

    def __init__(self, paths: Sequence[Path], db: Path, hooks: Hooks, *, poll: float = 1.0) -> None:
        self._hooks = hooks
        self._pause = poll
        self._stop = threading.Event()
        self._positions = Positions(spool_folder(db))
        self._positions.tidy()
        self._sources = Sources(paths, self._positions)
        self._sink = DeferredSink(db, self._goes_on)
        self._report = ImportReport()
        self._tails: dict[Key, Tail] = {}
        self._done: dict[Key, tuple[int, int]] = {}
        self._seen: set[Key] = set()
        self._said: set[str] = set()
        self._unreadable: set[Path] = set()
        self._told = 0
        self._last_load = float("-inf")
        self._loaded = -1  # batches that are in the database; fewer than any number, for what an earlier run left

    def run(self, stop: threading.Event) -> ImportReport:
        """Follow until ``stop`` is set; return what was done.

        Raises:
            DatabaseError: the database cannot be used at all. In use for now is no reason to end.
            OSError: a file cannot be read.
        """
        self._stop = stop
        while not stop.is_set():
            self._look()
            self._load_if_due()
            stop.wait(self._pause)
        self._load(_LAST_WAIT)
        for tail in self._tails.values():
            tail.close()
        self._report.files = len(self._seen)
        return self._report

    def _look(self) -> None:
        live = self._open_all()
        for key, tail in list(self._tails.items()):
            self._take(tail, tail.read())
            if key not in live and tail.quiet >= _QUIET and not self._stop.is_set():
                self._finish(key, tail)
        for problem in self._report.problems[self._told :]:
            self._hooks.note(str(problem))
        self._told = len(self._report.problems)

    def _open_all(self) -> set[Key]:
        """Open what is new; return what has a name that was asked for.

        Each new file gets a position before anything is read, and only then the moment is marked: whenever this process
        is killed, a file that was there is known, or is found to be newer than the mark.
        """
        moment, before = time.time(), set(self._tails)
        for path in self._sources.rotated():
            self._open(path)
        live = {key for path in self._sources.named() if (key := self._open(path)) is not None}
        if not before.issuperset(self._tails):
            with suppress(OSError):
                self._sources.mark(moment)
        return live

    def _open(self, path: Path) -> Key | None:
        try:
            stat = path.stat()
            key = key_of(stat)
            if key in self._tails:
                self._tails[key].path = path
            elif self._done.get(key) != (stat.st_size, stat.st_mtime_ns):
                tail = Tail(path)
                key = tail.key
                tail.resume(self._positions.load(key))
                self._tails[key] = tail
                self._save(tail)
        except FileNotFoundError:  # renamed or removed at this moment
            return None
        except OSError as error:  # it costs only itself
            if path not in self._unreadable:
                self._unreadable.add(path)
                self._hooks.note(f"{path}: cannot be read ({error.strerror}); it is read when it can be")
            return None
        return key

    def _take(self, tail: Tail, records: "Iterator[Record]") -> None:
        """Keep what was read. A position is saved only when nothing before it waits in memory."""
        importer = FileImport(tail.path, self._sink, self._report)
        began, batches = tail.offset, self._sink.batches
        for record in records:
            self._seen.add(tail.key)
            importer.take(record)
            if self._sink.batches != batches and not importer.waiting:
                batches = self._sink.batches
                self._save(tail)
                self._load_if_due()  # there may be hours of reading to do
            if self._stop.is_set():
                break
        importer.flush()
        if tail.offset != began:
            self._save(tail)

    def _save(self, tail: Tail) -> None:
        try:
            self._positions.save(tail.key, tail.position())
        except OSError as error:
            self._say(
                f"the position in {tail.path} cannot be kept ({error.strerror}); it is read again after a restart"
            )

    def _finish(self, key: Key, tail: Tail) -> None:
        """End with a file that was rotated away or removed."""
        self._take(tail, tail.rest())
        if tail.is_gone:
            self._positions.forget(key)
        else:
            with suppress(OSError):
                stat = tail.path.stat()
                self._done[key] = (stat.st_size, stat.st_mtime_ns)
        tail.close()
        del self._tails[key]

    def _load_if_due(self) -> None:
        if time.monotonic() - self._last_load >= _LOAD_EVERY:
            self._load(_LOAD_WAIT)
            self._last_load = time.monotonic()

    def _load(self, wait: float) -> None:
        if self._loaded == self._sink.batches:
            return
        batches = self._sink.batches
        try:
            self._report.add_landed(self._sink.load(wait))
            self._hooks.loaded()
        except DatabaseError as error:
            if not is_busy(error):
                raise
            self._say(f"spans wait in the spool: {error}")
        else:
            self._loaded = batches
            self._said.clear()

    def _goes_on(self, error: DatabaseError) -> bool:
        self._say(f"reading waits: {error}")
        self._load(_LOAD_WAIT)
        return not self._stop.is_set()

    def _say(self, text: str) -> None:
        kind = text.partition(":")[0]
        if kind not in self._said:
            self._said.add(kind)
            self._hooks.note(text)
