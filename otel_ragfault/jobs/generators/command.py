"""A command of the user's: JSON on its standard input, JSON or plain text on its standard output."""

import hashlib
import os
import selectors
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import orjson

from otel_ragfault.errors import InputError
from otel_ragfault.jobs.generators.context import carried_context
from otel_ragfault.jobs.generators.processes import Tail, death, end_group
from otel_ragfault.jobs.generators.reply import decoded, read_reply, too_large
from otel_ragfault.jobs.generators.values import MOST_BYTES, Chunk, Failure, Generated, Limits

_MOST_OUTPUT: Final = 8 * MOST_BYTES  # an answer as JSON, escaped at the worst
_MOST_SOURCE: Final = 1_000_000
_READ: Final = 1 << 16


class CommandGenerator:
    """A program that is started once a call, without a shell unless one is asked for.

    Its input is ``{"question": …, "chunks": [{"id": …, "text": …}, …]}``; its output a JSON object with ``answer`` and
    perhaps ``citations`` and ``decision``, or the text of the answer. The context of the trace is in ``TRACEPARENT``.

    Raises:
        InputError: there is no such program.
    """

    def __init__(self, spec: str, line: str, *, shell: bool) -> None:
        self.spec = spec
        self._line = line
        self._shell = shell
        self._argv = [] if shell else _argv(spec, line)
        self.identity = f"{spec}#{_digest([] if shell else self._argv)}"
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()

    def generate(self, question: str, chunks: Sequence[Chunk], limits: Limits) -> Generated:
        """Start the program, give it the call, and read what it says."""
        started = time.monotonic()
        asked = orjson.dumps(
            {"question": question, "chunks": [{"id": chunk.id, "text": chunk.text} for chunk in chunks]}
        )
        found = self._run(asked, started + limits.timeout, limits.timeout)
        read = Generated(failure=found) if isinstance(found, Failure) else _read(found)
        return Generated(read.answer, read.citations, read.decision, read.failure, time.monotonic() - started)

    def close(self) -> None:
        """Kill what still runs."""
        with self._lock:
            running = list(self._running)
        for process in running:
            end_group(process)

    def _run(self, asked: bytes, deadline: float, timeout: float) -> bytes | Failure:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own command; a shell only where they wrote shell:
                self._line if self._shell else self._argv,
                shell=self._shell,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=os.environ | {name.upper(): value for name, value in carried_context().items()},
                start_new_session=True,
            )
        except OSError as error:
            return Failure("died", f"it could not be started: {error}")
        with self._lock:
            self._running.add(process)
        try:
            return _talk(process, asked, deadline, timeout)
        finally:
            end_group(process)
            with self._lock:
                self._running.discard(process)


def _talk(process: "subprocess.Popen[bytes]", asked: bytes, deadline: float, timeout: float) -> bytes | Failure:
    """Write the call, read the output to its end, and wait for the exit code; within the time."""
    if process.stdin is None or process.stdout is None or process.stderr is None:  # pragma: no cover - asked for
        raise OSError("no pipes")
    tail = Tail(process.stderr)
    threading.Thread(target=_write, args=(process.stdin, asked), daemon=True).start()
    with process.stdout as output:
        said = _read_all(output, deadline, timeout)
    if isinstance(said, Failure):
        return said
    try:
        code = process.wait(max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        return _late(timeout)
    return said if code == 0 else death(code, tail.last_line())


def _write(stream: IO[bytes], asked: bytes) -> None:
    """Write the call; a program need not read it."""
    with suppress(OSError), stream:
        stream.write(asked)


def _read_all(output: IO[bytes], deadline: float, timeout: float) -> bytes | Failure:
    said = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            if not selector.select(max(deadline - time.monotonic(), 0.0)):
                return _late(timeout)
            part = output.read1(_READ)  # type: ignore[attr-defined]  # pipes of Popen are buffered readers
            if not part:
                return bytes(said)
            said += part
            if len(said) > _MOST_OUTPUT:
                return too_large(None)
            if time.monotonic() > deadline:
                return _late(timeout)


def _late(timeout: float) -> Failure:
    return Failure("timeout", f"it took longer than {timeout:g} s and was stopped")


def _read(said: bytes) -> Generated:
    """Read the output: a JSON object or a JSON text; anything else is the answer as it is."""
    text = decoded(said)
    if isinstance(text, Failure):
        return Generated(failure=text)
    if not text:
        return Generated(failure=Failure("nothing", "it printed nothing; the answer, as text or JSON, was wanted"))
    read: Any = text
    if text[0] in '{"':
        with suppress(orjson.JSONDecodeError):
            read = orjson.loads(text)
    return read_reply(read)


def _argv(spec: str, line: str) -> list[str]:
    try:
        argv = shlex.split(line)
    except ValueError as error:
        raise InputError(f"--generator {spec}: {error}; a command as on a command line was wanted") from error
    if not argv or shutil.which(argv[0]) is None:
        found = repr(argv[0]) if argv else "nothing"
        raise InputError(f"--generator {spec}: found {found}; a program that can be run was wanted; correct the path")
    return argv


def _digest(argv: Sequence[str]) -> str:
    """Digest the scripts that a command names, so that a changed script is another generator."""
    digest = hashlib.sha256()
    for word in argv[1:]:
        path = Path(word)
        with suppress(OSError, ValueError):
            if path.is_file() and path.stat().st_size <= _MOST_SOURCE:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
