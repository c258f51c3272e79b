"""A segment file: its header, the one that is being written, and reading any of them.

The header says whose it is: magic and version, length of the source, identity, then the source as UTF-8 and a CRC-32 of
all that. Records follow.
"""

import errno
import os
import secrets
import struct
import time
import uuid
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from otel_ragfault.landing.spool.crash import crash_point
from otel_ragfault.landing.spool.errors import SpoolError, SpoolFullError
from otel_ragfault.landing.spool.folder import OPEN, SEALED, UNBORN, make_folder, sync_folder
from otel_ragfault.landing.spool.locks import close_known, open_known, try_lock
from otel_ragfault.landing.spool.record import Damage, SpoolRecord, scan

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAGIC = b"RAGSPOL1"
_HEADER = struct.Struct("<8sH16s")
_CRC = struct.Struct("<I")
_MAX_SOURCE = 1000
_BUFFERS = 512  # of one writev, below the system's limit
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as read. ``records`` are views into memory, ``damages`` what is no record."""

    segment_id: uuid.UUID
    source: str
    records: list[SpoolRecord]
    damages: list[Damage]
    content: memoryview


class OpenSegment:
    """The segment that a process writes, and holds the lock on, until it is sealed or the process dies.

    Nothing here is safe for threads; the writer sees to that.
    """

    def __init__(self, folder: Path, source: str) -> None:
        self.began = time.monotonic()
        self.durable = 0
        self.spans = 0
        self.segment_id = _time_ordered_id()
        self._folder = folder
        self._name = f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}"
        self.path = folder / f"{self._name}{OPEN}"
        make_folder(folder)
        unborn = folder / f"{self._name}{UNBORN}"
        try:
            self._fd = open_known(unborn, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_APPEND)
            self._begin(unborn, source)
        except OSError as error:
            with suppress(OSError):
                unborn.unlink()
            self.abandon()
            raise _explained(folder, error) from error

    _fd = -1

    def _begin(self, unborn: Path, source: str) -> None:
        try_lock(self._fd)
        self._write([_header(source, self.segment_id)])
        os.fsync(self._fd)
        unborn.rename(self.path)  # only now may anybody see it, who would take an unlocked file for a dead process's
        sync_folder(self._folder)
        self.durable = os.fstat(self._fd).st_size

    def append(self, buffers: "Sequence[bytes | memoryview]") -> None:
        """Write records and make them durable; on failure the file is as before.

        Raises:
            SpoolFullError: there is no room for them.
            SpoolError: they cannot be written for another reason.
        """
        try:
            crash_point("spool.before_write")
            self._write(buffers)
            crash_point("spool.before_fsync")
            os.fdatasync(self._fd)
            crash_point("spool.after_fsync")
        except OSError as error:
            try:
                os.ftruncate(self._fd, self.durable)
            except OSError as worse:
                raise _explained(self.path, worse, lasting=True) from error
            raise _explained(self.path, error) from error
        self.durable += sum(map(len, buffers))

    def _write(self, buffers: "Sequence[bytes | memoryview]") -> None:
        for start in range(0, len(buffers), _BUFFERS):
            part = buffers[start : start + _BUFFERS]
            missing = sum(map(len, part)) - os.writev(self._fd, part)
            if missing:  # a short write is how a disk that fills up begins
                raise OSError(errno.ENOSPC, f"{os.strerror(errno.ENOSPC)}, {missing} bytes were not taken")

    @property
    def is_gone(self) -> bool:
        """Whether somebody removed the file, so that what is written to it can never be found."""
        return not os.fstat(self._fd).st_nlink

    def seal(self) -> None:
        """Finish the segment: give it the name that loaders look for, and let go of it.

        Raises:
            SpoolError: it cannot be renamed; it is then left as a dead process would leave it.
        """
        try:
            crash_point("spool.sealing")
            self.path.rename(self._folder / f"{self._name}{SEALED}")
            sync_folder(self._folder)
            crash_point("spool.sealed")
        except OSError as error:
            raise _explained(self.path, error) from error
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Let go of the file as it is; a loader finds it as that of a dead process."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            close_known(fd)


def read_segment(path: Path) -> Segment:
    """Read a segment. What is damaged is reported in it, and never fatal.

    Raises:
        OSError: it cannot be read.
    """
    content = memoryview(path.read_bytes())
    try:
        segment_id, source, offset = _parse_header(content)
    except ValueError as error:
        lost = [Damage(0, len(content), f"damaged: {error}")]
        return Segment(uuid.uuid5(uuid.NAMESPACE_URL, path.stem), "unknown", [], lost, content)
    found = list(scan(content, offset))
    return Segment(
        segment_id,
        source,
        [part for part in found if isinstance(part, SpoolRecord)],
        [part for part in found if isinstance(part, Damage)],
        content,
    )


def _header(source: str, segment_id: uuid.UUID) -> bytes:
    encoded = source.encode("utf-8", "replace")[:_MAX_SOURCE]
    head = _HEADER.pack(_MAGIC, len(encoded), segment_id.bytes) + encoded
    return head + _CRC.pack(zlib.crc32(head))


def _parse_header(content: memoryview) -> tuple[uuid.UUID, str, int]:
    if len(content) < _HEADER.size + _CRC.size:
        raise ValueError("the header is cut off")
    magic, length, identity = _HEADER.unpack_from(content)
    end = _HEADER.size + length
    if magic != _MAGIC or end + _CRC.size > len(content):
        raise ValueError("no header of a spool segment")
    if _CRC.unpack_from(content, end)[0] != zlib.crc32(content[:end]):
        raise ValueError("the checksum of the header does not match")
    return uuid.UUID(bytes=identity), str(content[_HEADER.size : end], "utf-8", "replace"), end + _CRC.size


def _time_ordered_id() -> uuid.UUID:
    """Return a UUID of version 7: ids of one hour lie together, so that the ledger is searched by its statistics."""
    millis = time.time_ns() // 1_000_000 & (1 << 48) - 1
    number = millis << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return uuid.UUID(int=number)


def _explained(path: Path, error: OSError, *, lasting: bool = False) -> SpoolError:
    if error.errno in _NO_ROOM and not lasting:
        return SpoolFullError(f"{path}: {error.strerror}; room for spans was wanted; make room, it is used at once")
    return SpoolError(
        f"{path}: {error.strerror or error}; a folder that can be written was wanted; check it and its permissions"
    )
