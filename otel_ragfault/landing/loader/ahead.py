"""Decode the next segments while the database is busy with others: the loader's end, which has processes do it.

Threads would not do. DuckDB lets go of the interpreter's lock at every statement and would get it back from a decoding
thread only milliseconds later, so that the database would be held for longer than the load needs.
"""

import logging
import os
import subprocess
import sys
from collections import deque
from contextlib import suppress
from multiprocessing import Pipe
from typing import TYPE_CHECKING, Final

from otel_ragfault.landing.loader import handover
from otel_ragfault.landing.loader.groups import pick_group

if TYPE_CHECKING:
    from collections.abc import Collection
    from multiprocessing.connection import Connection
    from pathlib import Path

    from otel_ragfault.landing.loader.batch import Batch

_logger = logging.getLogger(__name__)
_MODULE: Final = "otel_ragfault.landing.loader.decoder"
_WORTH_IT: Final = 12 * 2**20  # bytes that wait; starting a process costs as much as decoding a few
_MOST_PROCESSES: Final = min(2, os.cpu_count() or 1)
_MOST_STARTS: Final = 10
_ENDING: Final = 5.0
_LONGEST: Final = 120.0  # seconds for a group; one takes a few


class Ahead:
    """The processes that decode ahead; started when enough waits, replaced a few times when they die.

    Args:
        folder: the spool.
    """

    def __init__(self, folder: "Path") -> None:
        self._folder = folder
        self._idle: list[_Decoder] = []
        self._busy: deque[_Decoder] = deque()  # in the order in which they were asked
        self._starts = 0

    @property
    def taken(self) -> "set[Path]":
        """Segments that are being decoded."""
        return {path for decoder in self._busy for path in decoder.paths}

    def ask(self, besides: "Collection[Path]", most: int) -> None:
        """Have further segments decoded: a group of ``most`` bytes for every process, as far as that is worth while."""
        while len(self._busy) < _MOST_PROCESSES:
            spoken_for = self.taken.union(besides)
            group = pick_group(self._folder, spoken_for, most)
            decoder = self._one(spoken_for) if group else None
            if decoder is None:
                return
            try:
                decoder.ask(group)
            except (OSError, ValueError):
                decoder.close()
            else:
                self._busy.append(decoder)

    def take(self) -> "tuple[list[Batch], list[str]]":
        """Wait for what was asked for first, and return it, with what was wrong with segments that cannot be read.

        Nothing when nothing was asked for, or when the process has died or hangs.
        """
        if not self._busy:
            return [], []
        decoder = self._busy.popleft()
        try:
            answer = decoder.answer()
        except (OSError, EOFError):
            _logger.warning("a process that decodes ahead has ended or hangs; what it was decoding is decoded again")
            decoder.close()
            return [], []
        self._idle.append(decoder)
        return answer

    def close(self) -> None:
        """Let the processes end, and wait for that."""
        decoders = [*self._idle, *self._busy]
        self._idle.clear()
        self._busy.clear()
        for decoder in decoders:
            decoder.close()

    def _one(self, spoken_for: "set[Path]") -> "_Decoder | None":
        if self._idle:
            return self._idle.pop()
        waiting = sum(path.stat().st_size for path in pick_group(self._folder, spoken_for, _WORTH_IT))
        if waiting < _WORTH_IT / 2 or self._starts >= _MOST_STARTS or not _can_start():
            return None
        self._starts += 1
        try:
            return _Decoder()
        except OSError as error:
            _logger.warning("segments are not decoded ahead: %s", error)
            return None


def _can_start() -> bool:
    """Whether ``sys.executable`` is an interpreter; a frozen application would start itself once more."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


class _Decoder:
    """A process that decodes, and the pipe to it.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self) -> None:
        self.paths: list[Path] = []
        ours, theirs = Pipe()
        self._pipe: Connection = ours
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter and our own command
                [sys.executable, "-m", _MODULE, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )

    def ask(self, paths: "list[Path]") -> None:
        self.paths = paths
        self._pipe.send(paths)

    def answer(self) -> "tuple[list[Batch], list[str]]":
        self.paths = []
        if not self._pipe.poll(_LONGEST):
            raise TimeoutError("no answer")
        batches, failures = handover.take(self._pipe)
        return batches, failures

    def close(self) -> None:
        self._pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
            return
        self._process.kill()
        self._process.wait()
