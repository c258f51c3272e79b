"""Files of OTLP requests, read one request at a time.

The forms are told apart by their content: JSON lines, one JSON document, one protobuf message, and messages that each
follow their length in four big-endian bytes (the Collector's file exporter with ``format: proto`` or ``compression:
zstd``, which compresses each message by itself). Each may be compressed as a whole with gzip or zstd. And Parquet files
of spans, as ``ragfault export`` writes them.
"""

import errno
import io
import os
import stat
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from otel_ragfault.landing.compressed import ZSTD, InflatedFile, compression_of, inflate_record
from otel_ragfault.landing.decoding.json_text import parse_json
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.importing import parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

MAX_RECORD = 256 * 1024 * 1024
"""Bytes that one request may have."""

_HEAD = 4096
_PREFIX = 4
_BRACKET_LINE = len("[\r\n")
_BOM = b"\xef\xbb\xbf"
_FIRST_TAG = b"\x0a"  # field 1, with a length: how every non-empty request begins
_TEXT_CONTROLS = b"\t\n\r"
_CONTROLS = bytes(set(range(0x20)) - set(_TEXT_CONTROLS))


@dataclass(frozen=True, slots=True)
class Record:
    """One request of a file: a parsed JSON value and its text, protobuf bytes, rows, or what is wrong with it.

    Of an export that is none of spans, ``other_export`` says what it is of.
    """

    line: int | None
    size: int
    json: Any = None
    text: bytes = b""
    protobuf: bytes | None = None
    rows: "pa.Table | None" = None
    problem: str | None = None
    other_export: str | None = None
    opens: bool = False  # a problem that could be the beginning of a document over many lines

    @property
    def content(self) -> bytes:
        """The request as it is in the file, decompressed."""
        return self.text if self.protobuf is None else self.protobuf


def read_records(path: "Path") -> "Iterator[tuple[Record, int]]":
    """Read the requests of a file, in order, with flat memory; beside each, how much of the file was read by then.

    Raises:
        OSError: the file cannot be read.
    """
    with open_file(path) as file:
        head = file.read(_HEAD)
        file.seek(0)
        compression = compression_of(head)
        if head.startswith(parquet.MAGIC):
            yield from ((record, 0) for record in _parquet(path))
        elif compression is None:
            yield from ((record, file.tell()) for record in _plain(file, os.fstat(file.fileno()).st_size))
        else:
            yield from ((record, file.tell()) for record in _inflated(file, compression))


def open_file(path: "Path") -> BinaryIO:
    """Open a file. What took the place of one meanwhile, a named pipe say, is not waited for.

    Raises:
        OSError: it cannot be opened, or is no file.
    """
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "something that is not a file", str(path))
    return file


def is_binary(head: bytes) -> bool:
    """Tell whether a file begins like protobuf: JSON has no control characters, protobuf cannot do without 0x12."""
    return head.translate(None, _CONTROLS) != head


def content_record(number: int, size: int, body: bytes) -> Record:
    """Return the record of a message that follows its length: compressed or not, JSON or protobuf."""
    try:
        content = inflate_record(body, MAX_RECORD) if body.startswith(ZSTD) else body
        if content.startswith(b"{"):  # as a tag of protobuf it would be of a kind that OTLP has not
            return Record(number, size, json=parse_json(content), text=content)
    except MalformedError as error:
        return Record(number, size, problem=str(error))
    return Record(number, size, protobuf=content)


def _parquet(path: "Path") -> "Iterator[Record]":
    try:
        for table in parquet.read_spans(path):
            yield Record(None, table.nbytes, rows=table)
    except parquet.OtherExportError as other:
        yield Record(None, 0, other_export=other.what)
    except MalformedError as error:
        yield Record(None, 0, problem=str(error))


def _inflated(file: BinaryIO, compression: str) -> "Iterator[Record]":
    with closing(InflatedFile(file, compression)) as raw:
        yield from _plain(cast("BinaryIO", io.BufferedReader(raw)), None)
        if raw.problem is not None:
            yield Record(None, 0, problem=raw.problem)


def _plain(file: BinaryIO, size: int | None) -> "Iterator[Record]":
    head = file.read(_HEAD)
    file.seek(0)
    yield from _binary(file, size) if is_binary(head) else _text(file)


def _binary(file: BinaryIO, size: int | None) -> "Iterator[Record]":
    prefix = file.read(_PREFIX)
    wanted = int.from_bytes(prefix) + _PREFIX
    if size is None and prefix.startswith(_FIRST_TAG):
        size = _PREFIX + len(file.read(wanted))
    file.seek(0)
    if size is not None and prefix.startswith(_FIRST_TAG) and wanted > size:
        if size > MAX_RECORD:
            yield Record(None, size, problem=f"a message of {size} bytes; at most {MAX_RECORD} are read")
        else:
            yield Record(None, size, protobuf=file.read())
        return
    yield from _framed(file)


def _framed(file: BinaryIO) -> "Iterator[Record]":
    number = 0
    while prefix := file.read(_PREFIX):
        number += 1
        length = int.from_bytes(prefix)
        if length > MAX_RECORD:
            yield Record(number, _PREFIX, problem=no_length(length))
            return  # nothing tells where the next message begins
        body = file.read(length)
        if len(prefix) < _PREFIX or len(body) < length:
            reason = f"cut off: {length} bytes were announced, {len(body)} are there"
            yield Record(number, _PREFIX + len(body), problem=reason)
            return
        yield content_record(number, _PREFIX + length, body)


def no_length(length: int) -> str:
    """Return what is wrong with bytes that are no length of a message."""
    return f"neither JSON nor OTLP protobuf (as a length, its first bytes say {length})"


def _text(file: BinaryIO) -> "Iterator[Record]":
    lines = _lines(file)
    first = next(lines, None)
    second = next(lines, None)
    if first and first.opens and second and (second.problem or first.size <= _BRACKET_LINE):
        # A line that begins a document and another that is none: perhaps one document over many lines.
        whole = _whole(file)
        if whole is not None:
            yield whole
            return
        file.seek(0)
        lines = _lines(file)
        first = second = None
    if first and second is None and isinstance(first.json, list):  # the whole file, not an array among lines
        first = replace(first, line=None)
    yield from chain((record for record in (first, second) if record), lines)


def _whole(file: BinaryIO) -> Record | None:
    file.seek(0)
    text = file.read(MAX_RECORD + 1)
    if len(text) > MAX_RECORD:
        return None
    try:
        return Record(None, len(text), json=parse_json(text.removeprefix(_BOM)), text=text)
    except MalformedError:
        return None


def _lines(file: BinaryIO) -> "Iterator[Record]":
    number = 0
    while line := file.readline(MAX_RECORD + 1):
        number += 1
        size = len(line)
        if size > MAX_RECORD:
            size += _skip_line(file)
            yield Record(number, size, problem=f"a line of {size} bytes; at most {MAX_RECORD} are read")
            continue
        record = line_record(number, line)
        if record is not None:
            yield record


def line_record(number: int, line: bytes) -> Record | None:
    """Return the record of a line; ``None`` for an empty one."""
    text = (line.removeprefix(_BOM) if number == 1 else line).strip()
    if not text:
        return None
    try:
        return Record(number, len(line), json=parse_json(text), text=text)
    except MalformedError as error:
        return Record(number, len(line), problem=str(error), opens=text[:1] in (b"{", b"["))


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while rest := file.readline(_HEAD * 256):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped
