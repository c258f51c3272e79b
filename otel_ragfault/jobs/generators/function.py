"""A function of the user's, run in processes of its own: as many as calls are made at a time."""

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from multiprocessing import Pipe
from pathlib import Path
from typing import Any, Final

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators.context import carried_context
from otel_ragfault.jobs.generators.processes import Tail, death, end_group
from otel_ragfault.jobs.generators.values import MOST_BYTES, Chunk, Failure, Generated, Limits

_MODULE: Final = "otel_ragfault.jobs.generators.worker"
_MOST_MESSAGE: Final = 8 * MOST_BYTES  # an answer as JSON, escaped at the worst


class FunctionGenerator:
    """``module:function`` or ``file.py:function``: called with the question and the list of chunks.

    A process is started when a call needs one, is used for one call after the other, and is killed when a call takes
    too long. The first is started at once, so that a function that cannot be loaded is told before anything runs.

    Raises:
        InputError: the function cannot be loaded.
    """

    def __init__(self, spec: str, limits: Limits) -> None:
        self.spec = spec
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._is_closed = False
        worker = self._started()
        told = worker.hello(limits.start_timeout)
        if isinstance(told, Failure):
            self.close()
            raise InputError(
                f"--generator {spec}: {told.message}; module:function of an installed package or of the current "
                "folder, or file.py:function, was wanted; correct the name, or what importing it does"
            )
        module, _, name = spec.rpartition(":")
        self.identity = f"{Path(module).name}:{name}#{told}"  # the same code from elsewhere is the same generator
        self._idle.append(worker)

    def generate(self, question: str, chunks: Sequence[Chunk], limits: Limits) -> Generated:
        """Call the function in a process that is free, or in a new one."""
        started = time.monotonic()
        worker = self._free(limits)
        if isinstance(worker, Failure):
            return Generated(failure=worker, seconds=time.monotonic() - started)
        started = time.monotonic()
        found = worker.call(question, chunks, limits.timeout)
        seconds = time.monotonic() - started
        if isinstance(found, Failure):
            self._end(worker)
            return Generated(failure=found, seconds=seconds)
        with self._lock:
            self._idle.append(worker)
        return _decoded(found, seconds)

    def close(self) -> None:
        """Kill every process, whatever it does."""
        with self._lock:
            self._is_closed = True
            workers = list(self._all)
        for worker in workers:
            self._end(worker)

    def _free(self, limits: Limits) -> "_Worker | Failure":
        with self._lock:
            if self._idle:
                return self._idle.pop()
        try:
            worker = self._started()
        except OSError as error:
            return Failure("died", f"no process could be started: {error}")
        told = worker.hello(limits.start_timeout)
        if isinstance(told, Failure):
            self._end(worker)
            return told
        return worker

    def _started(self) -> "_Worker":
        worker = _Worker(self.spec)
        with self._lock:
            self._all.add(worker)
            is_closed = self._is_closed
        if is_closed:
            self._end(worker)
        return worker

    def _end(self, worker: "_Worker") -> None:
        worker.kill()
        with self._lock:
            self._all.discard(worker)


class _Worker:
    """A process that holds the function, and the pipe to it."""

    def __init__(self, spec: str) -> None:
        ours, theirs = Pipe()
        self._pipe = ours
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter and our own command
                [sys.executable, "-P", "-m", _MODULE, str(theirs.fileno()), spec],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # what the function starts is ended with it
            )
        if self._process.stderr is None:  # pragma: no cover - it was asked for
            raise OSError("no pipe")
        self._stderr = Tail(self._process.stderr)

    def hello(self, timeout: float) -> str | Failure:
        """Return the digest of the function's module once it is loaded, or why it is not."""
        told = self._reply(timeout, "importing it")
        if isinstance(told, Failure):
            return told
        return Failure("died", told["error"]) if "error" in told else str(told["digest"])

    def call(self, question: str, chunks: Sequence[Chunk], timeout: float) -> dict[str, Any] | Failure:
        asked = {
            "question": question,
            "chunks": [{"id": chunk.id, "text": chunk.text} for chunk in chunks],
            "context": carried_context(),
        }
        try:
            self._pipe.send_bytes(orjson.dumps(asked))
        except OSError:
            return self._death()
        return self._reply(timeout, "it")

    def kill(self) -> None:
        """End the process and all that it started."""
        end_group(self._process)
        self._pipe.close()

    def _reply(self, timeout: float, what: str) -> dict[str, Any] | Failure:
        try:
            if not self._pipe.poll(timeout):
                return Failure("timeout", f"{what} took longer than {timeout:g} s and was stopped")
            reply: dict[str, Any] = orjson.loads(self._pipe.recv_bytes(_MOST_MESSAGE))
        except (EOFError, OSError):
            return self._death()
        return reply

    def _death(self) -> Failure:
        end_group(self._process)
        return death(self._process.returncode, self._stderr.last_line())


def _decoded(reply: dict[str, Any], seconds: float) -> Generated:
    failure, citations = reply["failure"], reply["citations"]
    return Generated(
        answer=reply["answer"],
        citations=None if citations is None else tuple(citations),
        decision=reply["decision"],
        failure=None if failure is None else Failure(*failure),
        seconds=seconds,
    )
