"""Records of a segment: how they are framed, and how they are found again among what a crash may have left.

A record is a head of 16 bytes (little-endian: length of the payload, checksum, spans, kind, three zero bytes) and its
payload. The checksum is the CRC-32 of the other fields of the head and the payload.
"""

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PAYLOAD = 256 * 2**20
"""Bytes that the payload of a record may have."""

_HEAD = struct.Struct("<IIIB3x")
_SUMMED = struct.Struct("<IIB")
_MAX_SPANS = 2**32 - 1
HEAD_BYTES = _HEAD.size


class RecordKind(IntEnum):
    """What the payload of a record is."""

    OTLP_TRACES = 1
    """An ``ExportTraceServiceRequest`` in protobuf, as received."""
    OTLP_LOGS = 2
    """An ``ExportLogsServiceRequest`` in protobuf, as received."""
    SPAN_ROWS = 3
    """An Arrow IPC stream of rows of the table ``span``."""
    LOG_ROWS = 4
    """An Arrow IPC stream of rows of the table ``log_record``."""
    SET_ASIDE = 5
    """JSON: how many spans or log records could not become rows before they came here, by reason."""
    FILE_LOG_ROWS = 6
    """As ``LOG_ROWS``, of a file that may be read again: one that equals a stored one in every field is that one."""
    FILE_SET_ASIDE = 7
    """As ``SET_ASIDE``, of a file that may be read again, by the content that they are of."""


class SpoolRecord(NamedTuple):
    """One record as read: ``kind`` is a number, because a later release may have written it."""

    offset: int
    kind: int
    spans: int
    payload: memoryview


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that are no record: the tail that a crash tore off, or a record whose checksum does not match."""

    offset: int
    length: int
    reason: str


def frame(kind: RecordKind, payload: bytes | memoryview, spans: int) -> bytes:
    """Return the head of a record.

    Raises:
        ValueError: the payload is too long, or the count beyond 32 bits.
    """
    length = len(payload)
    if length > MAX_PAYLOAD:
        raise ValueError(f"a record of {length} bytes; at most {MAX_PAYLOAD} are kept")
    if not 0 <= spans <= _MAX_SPANS:
        raise ValueError(f"a record of {spans} spans; from 0 to {_MAX_SPANS} were wanted")
    return _HEAD.pack(length, _checksum(length, spans, kind, payload), spans, kind)


def scan(content: memoryview, offset: int) -> "Iterator[SpoolRecord | Damage]":
    """Yield the records of a segment from ``offset`` on, and what is damaged between and after them."""
    end = len(content)
    while offset < end:
        found = _at(content, offset, end)
        yield found
        offset += found.length if isinstance(found, Damage) else HEAD_BYTES + len(found.payload)


def _at(content: memoryview, offset: int, end: int) -> SpoolRecord | Damage:
    start = offset + HEAD_BYTES
    if start > end:
        return Damage(offset, end - offset, "torn: the head of a record is cut off")
    length, checksum, spans, kind = _HEAD.unpack_from(content, offset)
    if length > MAX_PAYLOAD:
        return Damage(offset, end - offset, "damaged: no record begins here")
    if start + length > end:
        return Damage(offset, end - offset, "torn: a record is cut off")
    payload = content[start : start + length]
    if _checksum(length, spans, kind, payload) != checksum:
        if not length:  # zeros, as a file system may leave them: nothing tells where a record could begin
            return Damage(offset, end - offset, "damaged: no record begins here")
        return Damage(offset, HEAD_BYTES + length, "damaged: a checksum does not match")
    return SpoolRecord(offset, kind, spans, payload)


def _checksum(length: int, spans: int, kind: int, payload: bytes | memoryview) -> int:
    return zlib.crc32(payload, zlib.crc32(_SUMMED.pack(length, spans, kind)))
