"""Refuse bodies that are small on the wire and huge once parsed, before they are parsed.

Ten million empty spans fit into 20 MiB, and take two gigabytes and half a minute as objects. Real requests have more
than a few bytes for each message in them; those that do not are refused as too large.
"""

from functools import cache
from typing import Any, Final

import numpy as np
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal

_SMALL: Final = 256 * 1024
_BYTES_A_MESSAGE: Final = 6  # an attribute is two messages, and has a name and a value
_BYTES_AN_OBJECT: Final = 12
_BYTES_A_FIELD: Final = 3
_WINDOW: Final = 10_000  # fields, over which that is looked at
_MORE: Final = 0x80  # the bit of a number's byte that says that more follow
_LOW: Final = 8  # lengths of tiny messages are below it; real requests are text for the most part
_LOW_SHARE: Final = 6
_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_ROOTS: Final[dict[Signal, Any]] = {Signal.TRACES: ExportTraceServiceRequest, Signal.LOGS: ExportLogsServiceRequest}

Children = dict[int, Any]
"""Number of a field → the fields of its messages."""


def refuse_heavy_json(body: bytes) -> None:
    """Refuse JSON with an array or an object every few bytes.

    Raises:
        RefusedError: it is such.
    """
    if len(body) > _SMALL and body.count(b"{") + body.count(b"[") > len(body) // _BYTES_AN_OBJECT:
        raise _too_heavy()


def refuse_heavy_protobuf(signal: Signal, body: bytes) -> None:
    """Refuse protobuf with a message every few bytes. Only a body that looks like one is taken apart to be counted.

    Raises:
        RefusedError: it is such.
    """
    if len(body) <= _SMALL or np.count_nonzero(np.frombuffer(body, np.uint8) < _LOW) * _LOW_SHARE < len(body):
        return
    left = len(body) // _BYTES_A_MESSAGE
    waiting = [(memoryview(body), _children(_ROOTS[signal].DESCRIPTOR.full_name))]
    while waiting:
        content, children = waiting.pop()
        left -= _split(content, children, waiting, left)
        if left < 0:
            raise _too_heavy()


def _split(content: memoryview, children: Children, waiting: list[Any], left: int) -> int:
    """Put the messages in a message on the list; return how many there are, or enough of them."""
    at = found = fields = mark = 0
    end = len(content)
    while at < end and found <= left:
        fields += 1
        if not fields % _WINDOW:
            if at - mark < _WINDOW * _BYTES_A_FIELD:
                return left + 1
            mark = at
        tag, at = (content[at], at + 1) if content[at] < _MORE else _varint(content, at)
        kind = tag & 7
        if kind == _LENGTH:
            length, at = _varint(content, at)
            below = children.get(tag >> 3)
            if below is not None:
                found += 1
                if length:
                    waiting.append((content[at : at + length], below))
            at += length
        elif kind == _VARINT:
            _, at = _varint(content, at)
        elif kind in {_FIXED64, _FIXED32}:
            at += 8 if kind == _FIXED64 else 4
        else:
            break  # malformed: the parser stops here too
    return found


def _varint(content: memoryview, at: int) -> tuple[int, int]:
    if at < len(content) and content[at] < _MORE:
        return content[at], at + 1
    value = shift = 0
    while at < len(content):
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < _MORE:
            break
        shift += 7
        if shift > 63:  # noqa: PLR2004 - no number is longer
            break
    return value, at


@cache
def _children(name: str) -> Children:
    """Return the fields of a message type that are messages, and so on below; types contain themselves."""
    made: dict[str, Children] = {}

    def make(descriptor: Any) -> Children:
        if descriptor.full_name not in made:
            children = made[descriptor.full_name] = {}
            for field in descriptor.fields:
                if field.message_type is not None:
                    children[field.number] = make(field.message_type)
        return made[descriptor.full_name]

    return make({root.DESCRIPTOR.full_name: root.DESCRIPTOR for root in _ROOTS.values()}[name])


def _too_heavy() -> RefusedError:
    return RefusedError(Reason.TOO_LARGE, "hardly more than empty messages, too many of them; send fewer at a time")
