"""Save the good spans, or log records, of a protobuf request that does not parse because of a bad one.

The parser refuses a whole request for one string that is not UTF-8, or one value nested too deeply; senders that do not
check their strings produce such requests. Here the request is taken apart along its outer structure, and each resource,
scope and span is parsed on its own.
"""

from typing import TYPE_CHECKING, Any

from otel_ragfault.landing.decoding.otlp import MalformedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_RESOURCES = 1  # of the request: its only field
_RESOURCE_OR_SCOPE, _INSIDE = 1, 2  # of ResourceSpans and of ScopeSpans: what it is, and what is in it
_SCHEMA_URL = 3
_VARINT_BITS = 70


def salvage(body: bytes) -> tuple[Any, int]:
    """Return the request with what parses, and the number of spans that do not.

    Raises:
        MalformedError: not even the outer structure is that of a request.
    """
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest()
    return request, _salvage_request(body, request)


def salvage_logs(body: bytes) -> tuple[Any, int]:
    """Return the request of logs with what parses, and the number of log records that do not.

    Raises:
        MalformedError: not even the outer structure is that of a request.
    """
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    request = ExportLogsServiceRequest()
    return request, _salvage_request(body, request)


def _salvage_request(body: bytes, request: Any) -> int:
    lost = 0
    for number, group in _messages(body):
        if number == _RESOURCES:
            lost += _salvage_resource(group, _repeated(request, _RESOURCES).add())
    return lost


def _repeated(message: Any, number: int) -> Any:
    return getattr(message, message.DESCRIPTOR.fields_by_number[number].name)


def _salvage_resource(group: bytes, target: Any) -> int:
    lost = 0
    for number, content in _messages(group):
        if number == _RESOURCE_OR_SCOPE:
            _parse(content, target.resource)
        elif number == _INSIDE:
            lost += _salvage_scope(content, _repeated(target, _INSIDE).add())
        elif number == _SCHEMA_URL:
            target.schema_url = content.decode("utf-8", "replace")
    return lost


def _salvage_scope(group: bytes, target: Any) -> int:
    lost = 0
    for number, content in _messages(group):
        if number == _RESOURCE_OR_SCOPE:
            _parse(content, target.scope)
        elif number == _INSIDE and not _parse(content, _repeated(target, _INSIDE).add()):
            del _repeated(target, _INSIDE)[-1]
            lost += 1
        elif number == _SCHEMA_URL:
            target.schema_url = content.decode("utf-8", "replace")
    return lost


def _parse(content: bytes, target: Any) -> bool:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it

    try:
        target.ParseFromString(content)
    except DecodeError:
        target.Clear()
        return False
    return True


def _messages(body: bytes) -> "Iterator[tuple[int, bytes]]":
    """Yield number and bytes of the length-delimited fields of a message."""
    position = 0
    while position < len(body):
        tag, position = _varint(body, position)
        kind = tag & 7
        if kind == _LENGTH:
            length, position = _varint(body, position)
            if position + length > len(body):
                raise MalformedError("not an OTLP trace request (a field is longer than the message)")
            yield tag >> 3, body[position : position + length]
            position += length
        elif kind == _VARINT:
            _, position = _varint(body, position)
        elif kind in {_FIXED64, _FIXED32}:
            position += 8 if kind == _FIXED64 else 4
        else:
            raise MalformedError("not an OTLP trace request (a field of no known kind)")


def _varint(body: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(body) and shift < _VARINT_BITS:
        byte = body[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if not byte & 0x80:
            return value, position
        shift += 7
    raise MalformedError("not an OTLP trace request (a number is cut off)")
