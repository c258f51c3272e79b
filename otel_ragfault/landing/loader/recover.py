"""Segments of dead processes: nobody holds their lock any more, so they are as complete as they will ever be."""

import os
import time
from pathlib import Path

from otel_ragfault.landing.spool import crash_point
from otel_ragfault.landing.spool.folder import OPEN, SEALED, UNBORN, list_files, sync_folder
from otel_ragfault.landing.spool.locks import close_known, open_known, try_lock

_UNBORN_SECONDS = 60.0


def recover(folder: Path) -> int:
    """Give the segments of dead processes the name of sealed ones; return how many there were.

    Raises:
        OSError: they cannot be renamed.
    """
    taken = sum(_take(file.path, file.path.with_suffix(SEALED)) for file in list_files(folder, OPEN))
    for file in list_files(folder, UNBORN):
        if abs(time.time() - file.modified) > _UNBORN_SECONDS:  # its process died before anything was in it
            _take(file.path, None)
    if taken:
        sync_folder(folder)
    return taken


def living_writers(folder: Path) -> int:
    """Return how many processes are writing segments."""
    return sum(_is_locked(file.path) for file in list_files(folder, OPEN))


def _take(path: Path, target: Path | None) -> bool:
    try:
        fd = open_known(path, os.O_RDWR)
    except FileNotFoundError:  # its writer sealed it
        return False
    try:
        if not try_lock(fd) or not _is_still(path, fd):
            return False
        if target is None:
            path.unlink()
            return True
        crash_point("loader.recovering")
        os.fsync(fd)
        path.rename(target)
    finally:
        close_known(fd)
    return True


def _is_locked(path: Path) -> bool:
    try:
        fd = open_known(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not try_lock(fd)
    finally:
        close_known(fd)


def _is_still(path: Path, fd: int) -> bool:
    """Return whether the path still names the open file: its writer may have sealed it before the lock was ours."""
    try:
        return os.path.samestat(path.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False
