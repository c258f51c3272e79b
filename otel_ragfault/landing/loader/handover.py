"""Hand decoded segments from one process to another: tables lie in memory that both map, so that none is copied.

The memory is a file without a name: it goes with the last process that has it open, however that process ends.
"""

import mmap
import os
import pickle
import tempfile
from contextlib import suppress
from multiprocessing import reduction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_ALIGNED: Final = 64  # as Arrow wants its buffers
_PADDING: Final = bytes(_ALIGNED)


def give(pipe: "Connection", answer: object) -> None:
    """Send an object whose large buffers, those of Arrow tables, are shared.

    Raises:
        OSError: the other end is gone, or there is no memory.
    """
    buffers: list[pickle.PickleBuffer] = []
    message = pickle.dumps(answer, protocol=5, buffer_callback=buffers.append)
    views = [buffer.raw() for buffer in buffers]
    shared = _unnamed_file()
    try:
        with open(shared, "wb", closefd=False) as file:
            for view in views:
                file.write(view)
                file.write(_PADDING[: -len(view) % _ALIGNED])
        reduction.send_handle(pipe, shared, os.getpid())
    finally:
        os.close(shared)
    pipe.send((message, [len(view) for view in views]))


def take(pipe: "Connection") -> Any:
    """Receive what :func:`give` sent.

    Raises:
        OSError, EOFError: the other end is gone.
    """
    shared = reduction.recv_handle(pipe)
    try:
        message, sizes = pipe.recv()
        content = memoryview(mmap.mmap(shared, 0)) if any(sizes) else memoryview(b"")
    finally:
        os.close(shared)
    views, start = [], 0
    for size in sizes:
        views.append(content[start : start + size])
        start += size + -size % _ALIGNED
    return pickle.loads(message, buffers=views)  # noqa: S301 - from a process of our own


def _unnamed_file() -> int:
    with suppress(AttributeError, OSError):  # not on every system, nor in every container
        return os.memfd_create("ragfault-decoded")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
