"""Files that carry a lock, and never take it into a forked child.

A lock of ``flock`` belongs to the open file, which a child shares: while the child kept its copy, the lock would stay
after the process that took it is gone. So every such file is known here, and a child closes its copies before it does
anything else.
"""

import fcntl
import os
import threading
from pathlib import Path

_guard = threading.RLock()  # held while files are opened and closed, and before a fork
_known: set[int] = set()


def open_known(path: Path, flags: int) -> int:
    """Open a file that is going to be locked.

    Raises:
        OSError: it cannot be opened.
    """
    with _guard:
        fd = os.open(path, flags | os.O_CLOEXEC, 0o666)
        _known.add(fd)
    return fd


def close_known(fd: int) -> None:
    """Close such a file, which lets its lock go."""
    with _guard:
        if fd in _known:  # not so in a child, where the number may be another file by now
            _known.discard(fd)
            os.close(fd)


def try_lock(fd: int) -> bool:
    """Take the lock of an open file, unless somebody has it."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _after_fork_in_child() -> None:
    for fd in _known:
        os.close(fd)
    _known.clear()
    _guard.release()


os.register_at_fork(before=_guard.acquire, after_in_parent=_guard.release, after_in_child=_after_fork_in_child)
