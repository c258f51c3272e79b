"""The process that runs a user's function: ``python -m otel_ragfault.jobs.generators.worker FD PLACE``.

One call at a time, so that a function that hangs can be stopped for good, and one that ends the process ends nothing
else. It answers over the pipe ``FD`` and ends when the other end of that does. What the function prints goes to the
standard error.
"""

import asyncio
import hashlib
import inspect
import os
import sys
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import orjson
from opentelemetry.context import attach, detach

from otel_ragfault.jobs.generators.context import context_of
from otel_ragfault.jobs.generators.reply import ReplyError, read_reply, whole_async_stream, whole_stream
from otel_ragfault.jobs.generators.values import Chunk, Failure, Generated

Function = Callable[[str, list[Chunk]], Any]


def main(fd: int, place: str) -> None:
    """Load the function, say so, and answer until the pipe is closed."""
    os.dup2(2, 1)  # the function may print; nobody reads it as an answer
    pipe = Connection(fd)
    calls: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, calls), daemon=True).start()
    try:
        function, hello = _loaded(place)
    except BaseException as error:  # noqa: BLE001 - whatever the user's module does when it is imported
        pipe.send_bytes(orjson.dumps({"error": _told(error)}))
        return
    pipe.send_bytes(orjson.dumps(hello))
    with asyncio.Runner() as runner:
        while True:
            request = orjson.loads(calls.get())
            chunks = [Chunk(chunk["id"], chunk["text"]) for chunk in request["chunks"]]
            token = attach(context_of(request["context"]))
            made = _answer(function, request["question"], chunks, runner)
            detach(token)
            pipe.send_bytes(_encoded(made))


def _receive(pipe: Connection, calls: "SimpleQueue[bytes]") -> None:
    """Take what is asked, and end the process when there is nobody left to ask, even while the function runs."""
    with suppress(EOFError, OSError):
        while True:
            calls.put(pipe.recv_bytes())
    os._exit(0)


def _loaded(place: str) -> tuple[Function, dict[str, str]]:
    module_name, _, name = place.rpartition(":")
    module = _module(module_name)
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part)
    if not callable(function):
        raise TypeError(f"{name} is {type(function).__name__}, which cannot be called")
    _check_parameters(name, function)
    digest = hashlib.sha256()
    with suppress(OSError, TypeError):
        digest.update(Path(module.__file__ or "").read_bytes())
    return function, {"digest": digest.hexdigest()[:16]}


def _check_parameters(name: str, function: Function) -> None:
    """Refuse a function that cannot be called with a question and chunks, where its signature tells.

    Raises:
        TypeError: it cannot.
    """
    try:
        signature = inspect.signature(function, follow_wrapped=False)  # a wrapper may give more than it takes
    except (TypeError, ValueError):  # written in C, or of no known signature
        return
    try:
        signature.bind("question", [])
    except TypeError as error:
        raise TypeError(f"{name}{signature} cannot be called as {name}(question, chunks): {error}") from None


def _module(name: str) -> ModuleType:
    """Import a module by its name or by its file; modules of the current folder are found as well."""
    if not name.endswith(".py"):
        sys.path.append(str(Path.cwd()))
        return import_module(name)
    path = Path(name).resolve()
    sys.path.append(str(path.parent))
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"no Python file at {path}")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _answer(function: Function, question: str, chunks: list[Chunk], runner: asyncio.Runner) -> Generated:
    try:
        result = function(question, chunks)
        if inspect.isawaitable(result):
            result = runner.run(_awaited(result), context=copy_context())
        if isinstance(result, AsyncIterator):
            result = runner.run(whole_async_stream(result), context=copy_context())
        elif isinstance(result, Iterator):
            result = whole_stream(result)
        return read_reply(result)
    except ReplyError as error:
        return Generated(failure=error.failure)
    except SystemExit as error:
        return Generated(failure=Failure("exited", f"it called sys.exit({error.code!r})"[:300]))
    except BaseException as error:  # noqa: BLE001 - whatever the user's code raises is the result
        return Generated(failure=Failure("raised", _told(error)))


async def _awaited(result: Any) -> Any:
    return await result


def _told(error: BaseException) -> str:
    """Return an exception in one line: its type, what it says, and where the user's code raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__ and "importlib" not in frame.filename]
    where = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    try:
        text = " ".join(str(error).split())[:300]
    except Exception:  # noqa: BLE001 - an exception whose text raises
        text = ""
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


def _encoded(generated: Generated) -> bytes:
    failure = generated.failure
    return orjson.dumps(
        {
            "answer": generated.answer,
            "citations": generated.citations,
            "decision": generated.decision,
            "failure": None if failure is None else [failure.kind, failure.message],
        }
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
