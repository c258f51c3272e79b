"""Protobuf taken apart by hand, as far as that is needed: the fields of a message, without knowing what they mean."""

from typing import TYPE_CHECKING, NamedTuple

from otel_ragfault.landing.decoding.otlp import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_VARINT_BITS = 70
_MORE = 0x80  # the bit of a number's byte that says that more follow


class Field(NamedTuple):
    """A field of a message: its number, how it is written, its content where that has a length, and all of it."""

    number: int
    kind: int
    content: memoryview
    raw: memoryview


def fields(message: bytes | memoryview) -> "Iterator[Field]":
    """Yield the fields of a message.

    Raises:
        MalformedError: the bytes are no message.
    """
    view = memoryview(message)
    position = 0
    while position < len(view):
        start = position
        tag, position = _varint(view, position)
        kind = tag & 7
        content = view[:0]
        if kind == LENGTH:
            length, position = _varint(view, position)
            content = view[position : position + length]
            position += length
        elif kind == VARINT:
            _, position = _varint(view, position)
        elif kind in {FIXED64, FIXED32}:
            position += 8 if kind == FIXED64 else 4
        else:
            raise MalformedError("not an OTLP request (a field of no known kind)")
        if position > len(view):
            raise MalformedError("not an OTLP request (a field is longer than the message)")
        yield Field(tag >> 3, kind, content, view[start:position])


def _varint(view: memoryview, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(view) and shift < _VARINT_BITS:
        byte = view[position]
        position += 1
        value |= (byte & ~_MORE) << shift
        if not byte & _MORE:
            return value, position
        shift += 7
    raise MalformedError("not an OTLP request (a number is cut off)")
