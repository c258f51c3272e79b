"""Files of OTLP requests, read one request at a time.

Four forms are told apart by their content: JSON lines, one JSON document, one protobuf message, and protobuf messages
that each follow their length in four big-endian bytes (the Collector's file exporter with ``format: proto``).
"""

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from otel_ragfault.landing.json_text import parse_json
from otel_ragfault.landing.otlp import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_RECORD = 256 * 1024 * 1024
"""Bytes that one request may have."""

_HEAD = 4096
_PREFIX = 4
_BRACKET_LINE = len("[\r\n")
_BOM = b"\xef\xbb\xbf"
_COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_FIRST_TAG = b"\x0a"  # field 1, with a length: how every non-empty request begins
_TEXT_CONTROLS = b"\t\n\r"
_CONTROLS = bytes(set(range(0x20)) - set(_TEXT_CONTROLS))


@dataclass(frozen=True, slots=True)
class Record:
    """One request of a file: a parsed JSON value, protobuf bytes, or what is wrong with it."""

    line: int | None
    size: int
    json: Any = None
    protobuf: bytes | None = None
    problem: str | None = None
    opens: bool = False  # a problem that could be the beginning of a document over many lines


def read_records(path: "Path") -> "Iterator[Record]":
    """Read the requests of a file, in order, with flat memory.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
        file.seek(0)
        compression = next((name for magic, name in _COMPRESSED.items() if head.startswith(magic)), None)
        if compression:
            yield Record(None, 0, problem=f"compressed with {compression}; decompress it first")
        elif head.translate(None, _CONTROLS) != head:  # JSON has no such bytes, protobuf cannot do without 0x12
            yield from _binary(file, path.stat().st_size)
        else:
            yield from _text(file)


def _binary(file: BinaryIO, size: int) -> "Iterator[Record]":
    prefix = file.read(_PREFIX)
    file.seek(0)
    if prefix.startswith(_FIRST_TAG) and int.from_bytes(prefix) + _PREFIX > size:
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
            reason = f"neither JSON nor OTLP protobuf (as a length, its first bytes say {length})"
            yield Record(number, _PREFIX, problem=reason)
            return  # nothing tells where the next message begins
        body = file.read(length)
        if len(prefix) < _PREFIX or len(body) < length:
            reason = f"cut off: {length} bytes were announced, {len(body)} are there"
            yield Record(number, _PREFIX + len(body), problem=reason)
            return
        yield Record(number, _PREFIX + length, protobuf=body)


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
    yield from chain((record for record in (first, second) if record), lines)


def _whole(file: BinaryIO) -> Record | None:
    file.seek(0)
    text = file.read(MAX_RECORD + 1)
    if len(text) > MAX_RECORD:
        return None
    try:
        return Record(None, len(text), json=parse_json(text.removeprefix(_BOM)))
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
        text = (line.removeprefix(_BOM) if number == 1 else line).strip()
        if not text:
            continue
        try:
            yield Record(number, size, json=parse_json(text))
        except MalformedError as error:
            yield Record(number, size, problem=str(error), opens=text[:1] in (b"{", b"["))


def _skip_line(file: BinaryIO) -> int:
    skipped = 0
    while rest := file.readline(_HEAD * 256):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped
