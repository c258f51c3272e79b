"""The folder of a spool: what lies in it, and how much."""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.landing.spool.errors import SpoolError

if TYPE_CHECKING:
    from collections.abc import Iterator

OPEN = ".open"
"""Suffix of a segment that a process is writing; it holds a lock on the file for as long as it lives."""
SEALED = ".segment"
"""Suffix of a segment that is complete."""
UNBORN = ".new"
"""Suffix of a segment whose header is being written."""

_LOOK_AGAIN = 0.25
_SHARE = 20  # looking takes at most one part in so many of the time


@dataclass(frozen=True, slots=True)
class SpoolFile:
    """A segment file and what its folder tells of it."""

    path: Path
    size: int
    modified: float


def spool_folder(db: str | Path) -> Path:
    """Return the folder of the spool of a database: beside it, with the suffix ``.spool``."""
    path = Path(db)
    return path.with_name(f"{path.name}.spool")


def make_folder(folder: Path) -> None:
    """Create the folder where there is none.

    Raises:
        SpoolError: it cannot be created.
    """
    try:
        folder.mkdir()
    except FileExistsError:
        if not folder.is_dir():
            raise SpoolError(f"{folder}: a file; the folder of the spool was wanted; move it away") from None
    except OSError as error:
        raise SpoolError(
            f"{folder}: cannot be created ({error.strerror}); a folder for spans beside the database was wanted; "
            "create the folder above it, or give write permission"
        ) from error
    else:
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Make names that were added to, changed in or removed from a folder durable."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def list_files(folder: Path, *suffixes: str) -> list[SpoolFile]:
    """Return the files with one of the suffixes, in the order in which they were begun. No folder is an empty one."""
    return sorted(_files(folder, suffixes), key=lambda file: file.path.name)


def _files(folder: Path, suffixes: tuple[str, ...]) -> "Iterator[SpoolFile]":
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if entry.name.endswith(suffixes):
            with suppress(FileNotFoundError):  # loaded and removed meanwhile
                stat = entry.stat()
                yield SpoolFile(Path(entry.path), stat.st_size, stat.st_mtime)


class Usage:
    """Bytes of all segments of a folder, other processes' too: looked up now and then, own records added between."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._total = 0
        self._next_look = float("-inf")

    def add(self, size: int) -> None:
        """Count bytes that were written since the last look."""
        self._total += size

    def total(self, *, fresh: bool = False) -> int:
        """Return the bytes, as seen at most a moment ago."""
        now = time.monotonic()
        if fresh or now >= self._next_look:
            self._total = sum(file.size for file in _files(self._folder, (OPEN, SEALED)))
            took = time.monotonic() - now
            self._next_look = now + max(_LOOK_AGAIN, took * _SHARE)
        return self._total
