"""Keeps the loader process running, and knows what it reported last."""

import logging
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from otel_ragfault.receiving import journal

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_HEALTHY_AFTER: Final = 60.0
_FRESH: Final = 15.0
_MODULE: Final = "otel_ragfault.receiving.loading"


class LoaderProcess:
    """The loader of a database, started again whenever it ends by itself, after pauses that grow.

    Args:
        db: the database.
    """

    def __init__(self, db: Path) -> None:
        self.stats: dict[str, Any] = {}
        self.restarts = 0
        self.drained = False
        self._db = db
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = 0.0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="ragfault-loader", daemon=True)

    def start(self) -> None:
        """Start it, and keep it running."""
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether it runs and reports."""
        process = self._process
        return process is not None and process.poll() is None and time.monotonic() - self._heard < _FRESH

    @property
    def pid(self) -> int | None:
        """Its process id, while it runs."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def drain(self, seconds: float) -> bool:
        """Let it empty the spool and end; return whether it did so in time. It is not started again."""
        with self._lock:
            self._stopping.set()
            process = self._process
        if process is None:
            return False
        with suppress(OSError, ValueError):  # it ended by itself
            assert process.stdin is not None  # noqa: S101 - for the type checker; it was asked for
            process.stdin.write(b"drain\n")
            process.stdin.flush()
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        self._let_go(process)
        self._thread.join(1.0)
        return self.drained

    def _let_go(self, process: subprocess.Popen[bytes]) -> None:
        """Close its stdin, upon which it ends; killing it loses nothing either."""
        with suppress(OSError, ValueError):
            assert process.stdin is not None  # noqa: S101 - for the type checker; it was asked for
            process.stdin.close()
        try:
            process.wait(2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _keep(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            began = time.monotonic()
            code = self._run_once()
            if self._stopping.is_set():
                return
            pause = _FIRST_PAUSE if time.monotonic() - began > _HEALTHY_AFTER else pause
            self.restarts += 1
            journal.log(
                "loader ended; it is started again", logging.ERROR, code=code, in_seconds=pause, restarts=self.restarts
            )
            if self._stopping.wait(pause):
                return
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _run_once(self) -> int | None:
        with self._lock:
            if self._stopping.is_set():
                return None
            self._process = process = subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
                [sys.executable, "-m", _MODULE, str(self._db)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # the terminal's Ctrl-C is for the receiver
            )
        self._heard = time.monotonic()
        assert process.stdout is not None  # noqa: S101 - for the type checker; it was asked for
        with process.stdout:
            for line in process.stdout:
                self._hear(line)
        return process.wait()

    def _hear(self, line: bytes) -> None:
        try:
            report = orjson.loads(line)
        except orjson.JSONDecodeError:
            return
        self._heard = time.monotonic()
        self.stats = report.get("stats", self.stats)
        self.drained = self.drained or bool(report.get("drained"))
        said = report.get("log")
        if said is not None:
            fields = {name: value for name, value in said.items() if name != "level" and value is not None}
            journal.log("loader", said["level"], **fields)
