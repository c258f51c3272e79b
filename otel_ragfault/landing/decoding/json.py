"""OTLP/JSON requests to rows, as senders in the wild write them.

Beside what the specification asks for, this reads snake_case field names, enum names, 64-bit integers as numbers, and
ids in base64 as generic protobuf encoders write them. Fields it does not know are ignored.
"""

from typing import Any

from otel_ragfault.landing.decoding.build import (
    SPAN_ID_BYTES,
    TRACE_ID_BYTES,
    Decoded,
    Origin,
    Parts,
    UnusableError,
    make_row,
)
from otel_ragfault.landing.decoding.json_fields import id_bytes, items, link_id, number, span_kind, status_code
from otel_ragfault.landing.decoding.json_values import attributes
from otel_ragfault.landing.decoding.json_walk import SPANS, message, walk
from otel_ragfault.landing.decoding.row import SpanRow
from otel_ragfault.landing.decoding.values import Repaired, describe


def decode_json(request: object) -> Decoded:
    """Turn a parsed ``ExportTraceServiceRequest`` into rows. Without ``resourceSpans`` there are none.

    A span that cannot become a row is set aside and counted.

    Raises:
        MalformedError: the request is not an object, or its ``resourceSpans`` is no list.
    """
    decoded = Decoded()
    decoded.rows = walk(request, SPANS, _row, decoded.unusable)
    return decoded


def _row(span: dict[str, Any], origin: Origin) -> SpanRow:
    return make_row(_parts(span), origin)


def _parts(span: dict[str, Any]) -> Parts:
    get = span.get
    status = message(get("status"), "status")
    return Parts(
        trace_id=id_bytes(get("traceId"), TRACE_ID_BYTES, "trace id"),
        span_id=id_bytes(get("spanId"), SPAN_ID_BYTES, "span id"),
        parent_span_id=_parent(get("parentSpanId")),
        name=get("name"),
        kind=span_kind(get("kind")),
        start_time=number(get("startTimeUnixNano")),
        end_time=number(get("endTimeUnixNano")),
        status_code=status_code(status.get("code")),
        status_message=status.get("message"),
        attributes=attributes(span),
        events=[_event(message(event, "events")) for event in items(span, "events")],
        links=[_link(message(link, "links")) for link in items(span, "links")],
        trace_state=get("traceState"),
        flags=number(get("flags")),
        dropped_attributes_count=number(get("droppedAttributesCount")),
        dropped_events_count=number(get("droppedEventsCount")),
        dropped_links_count=number(get("droppedLinksCount")),
    )


def _parent(sent: Any) -> bytes | Repaired:
    if not sent:
        return b""
    try:
        return id_bytes(sent, SPAN_ID_BYTES, "parent span id")
    except UnusableError:
        return Repaired(None, describe(sent))


def _event(event: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": event.get("name") or "",
        "time_unix_nano": number(event.get("timeUnixNano")) or 0,
        "attributes": attributes(event),
        "dropped_attributes_count": number(event.get("droppedAttributesCount")) or 0,
    }


def _link(link: dict[str, Any]) -> dict[str, Any]:
    return {
        "trace_id": link_id(link.get("traceId"), TRACE_ID_BYTES),
        "span_id": link_id(link.get("spanId"), SPAN_ID_BYTES),
        "trace_state": link.get("traceState") or "",
        "attributes": attributes(link),
        "dropped_attributes_count": number(link.get("droppedAttributesCount")) or 0,
        "flags": number(link.get("flags")) or 0,
    }
