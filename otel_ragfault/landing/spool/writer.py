"""The writing end of the spool: many threads, one file, one fsync for all that wait."""

import os
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from otel_ragfault.landing.spool.errors import SpoolError, SpoolFullError
from otel_ragfault.landing.spool.folder import Usage, spool_folder
from otel_ragfault.landing.spool.record import RecordKind, frame
from otel_ragfault.landing.spool.sealer import Sealer
from otel_ragfault.landing.spool.segment import OpenSegment

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

_MIB = 2**20
_SEGMENT_SPANS = 10_000  # a segment is loaded in one transaction, which holds the database


@dataclass(frozen=True, slots=True)
class SpoolStats:
    """What a writer did so far; ``spool_bytes`` is the size of the spool, other processes' segments included."""

    records: int = 0
    spans: int = 0
    bytes: int = 0
    commits: int = 0
    refused: int = 0
    sealed: int = 0
    spool_bytes: int = 0


@dataclass(slots=True, eq=False)
class _Waiting:
    """A record on its way into the file, and what became of it."""

    head: bytes
    payload: bytes | memoryview
    spans: int
    done: bool = False
    error: Exception | None = field(default=None)

    @property
    def size(self) -> int:
        return len(self.head) + len(self.payload)


class SpoolWriter:
    """Append records to the spool of a database; safe for threads, processes and forks.

    Every process has a file of its own. Threads that append at the same time share one write and one fsync.

    Args:
        db: the database beside which the spool lies.
        source: where the records come from, for the ledger.
        max_bytes: bound on all segments of the spool, those of other processes included.
        segment_bytes: a segment is sealed when it is larger,
        segment_age: or older, in seconds.
    """

    def __init__(
        self,
        db: "str | Path",
        *,
        source: str,
        max_bytes: int = 2048 * _MIB,
        segment_bytes: int = 16 * _MIB,
        segment_age: float = 1.0,
    ) -> None:
        self.folder = spool_folder(db)
        self._source = source
        self._max_bytes = max_bytes
        self._segment_bytes = segment_bytes
        self._segment_age = segment_age
        self._closed = False
        self._segment: OpenSegment | None = None
        self.last_sealed: UUID | None = None
        self._start_clean()
        _writers.add(self)

    def _start_clean(self) -> None:
        self._turn = threading.Condition()
        self._leader: int | None = None  # the thread that has the file, while it has
        self._queue: list[_Waiting] = []
        self._usage = Usage(self.folder)
        self._stats = SpoolStats()
        self._sealer = Sealer(self._segment_age)
        weakref.finalize(self, self._sealer.stop).atexit = False

    @property
    def stats(self) -> SpoolStats:
        """The counts so far."""
        with self._turn:
            return replace(self._stats, spool_bytes=self._usage.total(fresh=True))

    @property
    def records(self) -> int:
        """How many records were appended so far."""
        return self._stats.records

    def append(self, kind: RecordKind, payload: bytes | memoryview, *, spans: int) -> None:
        """Keep a record; when this returns, it is durable.

        Raises:
            SpoolFullError: the spool is at its bound or the disk is full; nothing of the record was kept.
            SpoolError: it cannot be written for another reason.
        """
        try:
            mine = _Waiting(frame(kind, payload, spans), payload, spans)
        except ValueError as error:
            raise SpoolError(f"{self.folder}: {error}; send fewer spans at a time") from None
        try:
            group = self._join(mine)
            if group:
                self._lead(group)
        finally:
            self._step_down()
        if mine.error is not None:
            raise mine.error

    def _join(self, mine: _Waiting) -> list[_Waiting]:
        """Wait until the record is done, or until it is this thread's turn to write for all that wait."""
        with self._turn:
            self._admit(mine)
            self._queue.append(mine)
            while self._leader is not None and not mine.done:
                self._turn.wait()
            if mine.done:
                return []
            self._leader = threading.get_ident()
            group, self._queue = self._queue, []
            return group

    def _step_down(self) -> None:
        if self._leader == threading.get_ident():
            with self._turn:
                self._leader = None
                self._turn.notify_all()

    def seal(self) -> None:
        """Finish the open segment, if there is one, so that a loader can take it.

        Raises:
            SpoolError: it cannot be renamed; a loader still finds it, as that of a dead process.
        """
        self._seal_after(0, None)

    def close(self, timeout: float = 30.0) -> None:
        """Seal, and take no more records. Waits at most ``timeout`` seconds for appends that are under way.

        Raises:
            SpoolError: the segment cannot be renamed; a loader still finds it.
        """
        with self._turn:
            self._closed = True
        self._sealer.stop()
        self._seal_after(0, timeout)

    def _admit(self, mine: _Waiting) -> None:
        if self._closed:
            raise SpoolError(f"{self.folder}: the writer is closed; open another one")
        if self._leader == threading.get_ident():  # a signal handler, say, that interrupted this thread's own append
            raise SpoolError(f"{self.folder}: an append within an append of the same thread; append afterwards")
        used = self._usage.total()
        if used + mine.size > self._max_bytes:
            self._stats = replace(self._stats, refused=self._stats.refused + 1)
            raise SpoolFullError(
                f"{self.folder}: {used} bytes wait for the database, {self._max_bytes} are allowed; "
                "find out who holds the database, or raise the bound"
            )

    def _lead(self, group: list[_Waiting]) -> None:
        error: Exception | None = SpoolError(f"{self.folder}: the write was interrupted; append again")
        try:
            self._write(group)
            error = None
        except Exception as caught:  # noqa: BLE001 - raised in every thread whose record it was
            error = caught
        finally:
            self._settle(group, error)
        segment = self._segment
        if segment is not None and (
            segment.durable >= self._segment_bytes or segment.spans >= _SEGMENT_SPANS or self._is_due(segment)
        ):
            with suppress(SpoolError):  # the records are durable, and a loader takes an unlocked file all the same
                self._seal_now()

    def _settle(self, group: list[_Waiting], error: Exception | None) -> None:
        spans = sum(waiting.spans for waiting in group)
        size = sum(waiting.size for waiting in group)
        with self._turn:
            for waiting in group:
                waiting.done, waiting.error = True, error
            stats = self._stats
            if error is not None:
                self._stats = replace(stats, refused=stats.refused + len(group))
                return
            self._usage.add(size)
            self._stats = replace(
                stats,
                records=stats.records + len(group),
                spans=stats.spans + spans,
                bytes=stats.bytes + size,
                commits=stats.commits + 1,
            )

    def _write(self, group: list[_Waiting]) -> None:
        buffers = [part for waiting in group for part in (waiting.head, waiting.payload)]
        segment = self._segment or self._open()
        try:
            segment.append(buffers)
            if segment.is_gone:
                segment.abandon()
                segment = self._open()
                segment.append(buffers)
        except SpoolFullError:
            raise
        except BaseException:
            self._segment = None  # what a file holds after a failed fsync is not to be relied on
            segment.abandon()
            raise
        segment.spans += sum(waiting.spans for waiting in group)

    def _open(self) -> OpenSegment:
        self._segment = OpenSegment(self.folder, self._source)
        self._sealer.watch(self)
        return self._segment

    def _is_due(self, segment: OpenSegment) -> bool:
        return time.monotonic() - segment.began >= self._segment_age

    def seal_if_due(self) -> None:
        """Seal the open segment when it is old enough; called now and then by a thread of the writer's own.

        Raises:
            SpoolError: it cannot be renamed.
        """
        self._seal_after(self._segment_age, None)

    def _seal_after(self, age: float, timeout: float | None) -> None:
        with self._turn:
            if not self._turn.wait_for(lambda: self._leader is None, timeout):
                return
            segment = self._segment
            if segment is None or time.monotonic() - segment.began < age:
                return
            self._leader = threading.get_ident()
        try:
            self._seal_now()
        finally:
            self._step_down()

    def _seal_now(self) -> None:
        segment, self._segment = self._segment, None
        if segment is not None:
            self.last_sealed = segment.segment_id
            segment.seal()
            self._stats = replace(self._stats, sealed=self._stats.sealed + 1)

    def after_fork_in_child(self) -> None:
        """Start anew: the file is the parent's, and the child's copy of it is closed already."""
        self._segment = None
        self._start_clean()


_writers: "weakref.WeakSet[SpoolWriter]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for writer in list(_writers):
        writer.after_fork_in_child()


os.register_at_fork(after_in_child=_after_fork_in_child)
