"""A growing file, read as far as its requests are complete."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from otel_ragfault.landing.compressed import compression_of
from otel_ragfault.landing.importing import files, parquet
from otel_ragfault.landing.importing.files import (
    Record,
    content_record,
    is_binary,
    line_record,
    no_length,
    read_records,
)
from otel_ragfault.landing.importing.positions import Position, digest_of, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = 4096
_PREFIX = 4


class Tail:
    """One file that grows; it stays the same when it is renamed.

    Attributes:
        path: its newest known name.
        key: device and inode.
        offset: bytes up to the end of the last complete request that was given out.
        line: lines, or messages, up to there.
        quiet: how many times in a row nothing new was found.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO = files.open_file(path)
        self.key = key_of(os.fstat(self._file.fileno()))
        self.offset = self.line = self.quiet = 0
        self._looked_at = (-1, -1)  # size and time of change at the last look
        self._mark: Position | None = None

    def resume(self, position: Position | None) -> None:
        """Go on at a position, if it is one of this file as it is now."""
        if position is None or position.offset > self.size or digest_of(self._file, position.offset) != position.digest:
            return
        self.offset, self.line, self._mark = position.offset, position.line, position

    @property
    def size(self) -> int:
        """Bytes of the file now."""
        return os.fstat(self._file.fileno()).st_size

    @property
    def is_gone(self) -> bool:
        """Whether the file has no name any more."""
        return os.fstat(self._file.fileno()).st_nlink == 0

    def position(self) -> Position:
        """Return how far it was read."""
        digest = digest_of(self._file, self.offset)
        self._mark = Position(str(self.path), self.offset, self.line, digest, time.time())
        return self._mark

    def close(self) -> None:
        """Close it."""
        self._file.close()

    def read(self) -> "Iterator[Record]":
        """Read the requests that are complete since the last time; part of one waits."""
        stat = os.fstat(self._file.fileno())
        size, now = stat.st_size, (stat.st_size, stat.st_mtime_ns)
        if now == self._looked_at:
            self.quiet += 1
            if self.quiet != 1 or not self._is_whole():
                return
        else:
            self.quiet = 0
            self._start_anew_if_truncated(size)
            self._looked_at = now  # emptied and written anew, a file may have the size that it had
            if self._is_whole():
                return  # until it is quiet
        self._file.seek(0)
        head = self._file.read(_HEAD)
        if self._is_whole():
            yield from self._read_whole(size)
        elif is_binary(head):
            yield from self._read_messages()
        else:
            yield from self._read_lines()

    def rest(self) -> "Iterator[Record]":
        """Read what is left of a file that will not grow any more: a line without its end, or part of a request."""
        left = self.size - self.offset
        if left <= 0 or self._is_whole():
            return
        self._file.seek(0)
        binary = is_binary(self._file.read(_HEAD))
        self._file.seek(self.offset)
        self.line += 1
        content = b"" if binary else self._file.read(files.MAX_RECORD)
        self.offset += left
        record = None if binary else line_record(self.line, content)
        if binary:
            record = Record(self.line, left, problem=f"cut off: its last {left} bytes are no complete message")
        if record is not None:
            yield record

    def _is_whole(self) -> bool:
        """Tell whether the file can only be read from its beginning: compressed as a whole, or Parquet."""
        self._file.seek(0)
        head = self._file.read(_PREFIX)
        return head == parquet.MAGIC or compression_of(head) is not None

    def _start_anew_if_truncated(self, size: int) -> None:
        """Begin at the beginning when the file is shorter than it was, or holds other bytes than it did."""
        mark = self._mark
        if size < self.offset or (mark is not None and digest_of(self._file, mark.offset) != mark.digest):
            self.offset = self.line = 0
            self._mark = None

    def _read_whole(self, size: int) -> "Iterator[Record]":
        if size == self.offset:
            return
        for record, _ in read_records(self.path):
            yield record
        self.offset = size

    def _read_lines(self) -> "Iterator[Record]":
        self._file.seek(self.offset)
        while (line := self._file.readline(files.MAX_RECORD + 1)).endswith(b"\n") or len(line) > files.MAX_RECORD:
            self.offset += len(line)
            self.line += line.endswith(b"\n")
            if len(line) > files.MAX_RECORD:
                yield Record(self.line + 1, len(line), problem=f"a line of more than {files.MAX_RECORD} bytes")
            elif (record := line_record(self.line, line)) is not None:
                yield record
            self._file.seek(self.offset)  # whoever takes the record may ask for the position

    def _read_messages(self) -> "Iterator[Record]":
        self._file.seek(self.offset)
        while len(prefix := self._file.read(_PREFIX)) == _PREFIX:
            length = int.from_bytes(prefix)
            if length > files.MAX_RECORD:
                self.line += 1
                self.offset = self.size  # nothing tells where the next message begins
                yield Record(self.line, _PREFIX, problem=no_length(length))
                return
            body = self._file.read(length)
            if len(body) < length:
                return
            self.offset += _PREFIX + length
            self.line += 1
            yield content_record(self.line, _PREFIX + length, body)
            self._file.seek(self.offset)
