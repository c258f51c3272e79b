"""Save the good spans, or log records, of a protobuf request that does not parse because of a bad one.

The parser refuses a whole request for one string that is not UTF-8, or one value nested too deeply; senders that do not
check their strings produce such requests. Here the request is taken apart along its outer structure, and each resource,
scope, span and log record is parsed on its own. A resource or a scope keeps the attributes that parse; those that do
not are counted where OTLP counts dropped ones.
"""

import sys
from contextlib import suppress
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.wire import LENGTH, fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from otel_ragfault.landing.decoding.wire import Field

UNPARSABLE = "not parsable as protobuf (text that is not UTF-8, or nested too deeply)"
"""Why a span or a log record is lost here."""

_RESOURCES = 1  # of the request: its only field
_RESOURCE_OR_SCOPE, _INSIDE = 1, 2  # of ResourceSpans and of ScopeSpans: what it is, and what is in it
_SCHEMA_URL = 3
_UINT32 = 2**32 - 1
_MOST_FIELDS = 10_000  # of a resource or scope that has to be parsed field by field


def salvage(body: bytes, most: int = sys.maxsize) -> tuple[Any, int]:
    """Return the request with what parses, and the number of spans that do not.

    Args:
        body: the request.
        most: how many spans are looked at: parsing each on its own takes some fifty times as long as all together.

    Raises:
        MalformedError: not even the outer structure is that of a request, or there are more.
    """
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest()
    return request, _salvage_request(body, request, count(most, -1))


def salvage_logs(body: bytes, most: int = sys.maxsize) -> tuple[Any, int]:
    """Return the request of logs with what parses, and the number of log records that do not.

    Args:
        body: the request.
        most: how many records are looked at.

    Raises:
        MalformedError: not even the outer structure is that of a request, or there are more.
    """
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    request = ExportLogsServiceRequest()
    return request, _salvage_request(body, request, count(most, -1))


def _salvage_request(body: bytes, request: Any, left: "Iterator[int]") -> int:
    return sum(
        _salvage_resource(field.content, _repeated(request, _RESOURCES).add(), left)
        for field in _messages(body)
        if field.number == _RESOURCES
    )


def _repeated(message: Any, number: int) -> Any:
    return getattr(message, message.DESCRIPTOR.fields_by_number[number].name)


def _salvage_resource(group: memoryview, target: Any, left: "Iterator[int]") -> int:
    lost = 0
    for field in _messages(group):
        if field.number == _RESOURCE_OR_SCOPE:
            _parse_what_can_be(field.content, target.resource)
        elif field.number == _INSIDE:
            lost += _salvage_scope(field.content, _repeated(target, _INSIDE).add(), left)
        elif field.number == _SCHEMA_URL:
            target.schema_url = str(field.content, "utf-8", "replace")
    return lost


def _salvage_scope(group: memoryview, target: Any, left: "Iterator[int]") -> int:
    lost = 0
    for field in _messages(group):
        if field.number == _INSIDE and next(left) <= 0:
            raise MalformedError("too large a request to find what does not parse in it; send fewer at a time")
        if field.number == _RESOURCE_OR_SCOPE:
            _parse_what_can_be(field.content, target.scope)
        elif field.number == _INSIDE and not _parse(field.content, _repeated(target, _INSIDE).add()):
            del _repeated(target, _INSIDE)[-1]
            lost += 1
        elif field.number == _SCHEMA_URL:
            target.schema_url = str(field.content, "utf-8", "replace")
    return lost


def _parse_what_can_be(content: memoryview, target: Any) -> None:
    """Parse a resource or a scope, field by field when it does not parse as a whole."""
    if _parse(content, target):
        return
    attributes = type(target).ATTRIBUTES_FIELD_NUMBER
    lost = 0
    with suppress(MalformedError):  # what came before stays
        for field in islice(fields(content), _MOST_FIELDS):
            part = type(target)()
            if _parse(field.raw, part):
                target.MergeFrom(part)
            else:
                lost += field.number == attributes
    target.dropped_attributes_count = min(target.dropped_attributes_count + lost, _UINT32)


def _parse(content: memoryview, target: Any) -> bool:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it

    try:
        target.ParseFromString(bytes(content))
    except DecodeError:
        target.Clear()
        return False
    return True


def _messages(body: bytes | memoryview) -> "Iterator[Field]":
    """Yield the fields of a message that have a length, as texts and messages have."""
    return (field for field in fields(body) if field.kind == LENGTH)
