"""Processes that run what users wrote: how they are ended, and what is said of one that ended by itself."""

import os
import signal
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Final

from otel_ragfault.jobs.generators.values import Failure

if TYPE_CHECKING:
    import subprocess

_KEPT: Final = 4096
_ENDING: Final = 1.0


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process, which leads a session of its own, with all that it started, and wait for its end."""
    if process.returncode is None:  # while nobody has waited for it, its id is nobody else's
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def death(code: int, last_line: str) -> Failure:
    """Say how a process ended that should have answered."""
    how = f"signal {_signal(-code)}" if code < 0 else f"exit code {code}"
    return Failure("died", f"its process ended ({how}){': ' if last_line else ''}{last_line}")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


class Tail:
    """The end of what a process writes to its standard error.

    Reads the stream to its end in the background, so that the process never waits for that.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = b""
        self._thread = threading.Thread(target=self._read, name="ragfault-stderr", daemon=True)
        self._thread.start()

    def last_line(self) -> str:
        """Return the last line that says something; an empty text where there is none."""
        self._thread.join(_ENDING)
        lines = self._kept.decode("utf-8", "replace").split("\n")
        return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")

    def _read(self) -> None:
        with self._stream:
            while part := self._stream.read1(_KEPT):  # type: ignore[attr-defined]  # pipes of Popen are buffered readers
                self._kept = (self._kept + part)[-_KEPT:]
