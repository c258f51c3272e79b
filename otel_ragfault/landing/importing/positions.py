"""How far each followed file was read: one small file a followed one, in the spool of the database.

A position is written only after the spans before it are durable. It belongs to a file, not to a name: device, inode,
and a digest of the first bytes and of the last ones before the position, so that a file that was renamed is known again
and another one in its place is not taken for it.
"""

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

import orjson

from otel_ragfault.landing.spool.folder import make_folder, sync_folder

_SUFFIX = ".position"
_UNFINISHED = ".writing"
_DIGESTED = 1024
_OLD = 60.0

Key = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class Position:
    """Bytes and lines (or messages) that were read of a file, and what it was called and when."""

    path: str
    offset: int
    line: int
    digest: str
    saved_at: float


def key_of(stat: os.stat_result) -> Key:
    """Return what a file is, whatever its name."""
    return stat.st_dev, stat.st_ino


def name_key(path: Path) -> Key:
    """Return a key for a name, which is that of no file: there is no device 0."""
    return 0, int.from_bytes(hashlib.sha256(os.fsencode(path)).digest()[:8])


def digest_of(file: BinaryIO, offset: int) -> str:
    """Return the digest of the first bytes, and the last ones, of what lies before a position."""
    file.seek(0)
    content = file.read(min(offset, _DIGESTED))
    file.seek(max(0, offset - _DIGESTED))
    content += file.read(min(offset, _DIGESTED))
    return hashlib.sha256(content).hexdigest()


class Positions:
    """The positions kept in a spool.

    Args:
        folder: the folder of the spool.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def tidy(self) -> None:
        """Remove what processes left behind that were killed while they saved."""
        for file in self._folder.glob(f"*{_UNFINISHED}-*"):
            with suppress(OSError):
                if time.time() - file.stat().st_mtime > _OLD:
                    file.unlink()

    def load(self, key: Key) -> Position | None:
        """Return the position of a file; ``None`` where none is known, or what is kept is damaged."""
        return _read(self._path(key))

    def save(self, key: Key, position: Position) -> None:
        """Keep a position; when this returns, it is durable.

        Raises:
            OSError: it cannot be written; the older one stays.
        """
        make_folder(self._folder)
        unfinished = self._path(key).with_suffix(f"{_UNFINISHED}-{os.getpid()}")
        with unfinished.open("wb") as file:
            file.write(orjson.dumps(asdict(position)))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path(key))
        sync_folder(self._folder)

    def forget(self, key: Key) -> None:
        """Remove the position of a file that is no more."""
        with suppress(OSError):
            self._path(key).unlink()

    def _path(self, key: Key) -> Path:
        return self._folder / f"{key[0]:x}-{key[1]:x}{_SUFFIX}"


def _read(file: Path) -> Position | None:
    try:
        return Position(**orjson.loads(file.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
