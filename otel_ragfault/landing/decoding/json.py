"""OTLP/JSON requests to rows, as senders in the wild write them.

Beside what the specification asks for, this reads snake_case field names, enum names, 64-bit integers as numbers, and
ids in base64 as generic protobuf encoders write them. Fields it does not know are ignored.
"""

from typing import Any

from otel_ragfault.landing.decoding.build import (
    SPAN_ID_BYTES,
    TRACE_ID_BYTES,
    Decoded,
    Described,
    Origin,
    Parts,
    UnusableError,
    make_origin,
    make_row,
)
from otel_ragfault.landing.decoding.json_fields import camel, id_bytes, items, link_id, number, span_kind, status_code
from otel_ragfault.landing.decoding.json_values import attributes
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.values import Repaired, describe

_NOTHING: dict[str, Any] = {}


def decode_json(request: object) -> Decoded:
    """Turn a parsed ``ExportTraceServiceRequest`` into rows. Without ``resourceSpans`` there are none.

    A span that cannot become a row is set aside and counted.

    Raises:
        MalformedError: the request is not an object, or its ``resourceSpans`` is no list.
    """
    if not isinstance(request, dict):
        raise MalformedError(f"a JSON {type(request).__name__}, not an object with resourceSpans")
    decoded = Decoded()
    try:
        groups = items(camel(request), "resourceSpans")
    except UnusableError as error:
        raise MalformedError(str(error)) from None
    for group in groups:
        _decode_group(group, decoded)
    return decoded


def _decode_group(group: object, decoded: Decoded) -> None:
    try:
        resource_spans = _object(group, "resourceSpans")
        scopes = items(resource_spans, "scopeSpans")
    except UnusableError as error:
        decoded.unusable[str(error)] += 1
        return
    for scope in scopes:
        try:
            scope_spans = _object(scope, "scopeSpans")
            spans = items(scope_spans, "spans")
            origin = _origin(resource_spans, scope_spans)
        except UnusableError as error:
            decoded.unusable[str(error)] += _spans_inside(scope)
            continue
        _decode_spans(spans, origin, decoded)


def _decode_spans(spans: list[Any], origin: Origin, decoded: Decoded) -> None:
    for span in spans:
        try:
            decoded.rows.append(make_row(_parts(_object(span, "spans")), origin))
        except UnusableError as error:
            decoded.unusable[str(error)] += 1


def _spans_inside(scope: object) -> int:
    spans = scope.get("spans") if isinstance(scope, dict) else None
    return len(spans) if isinstance(spans, list) else 1


def _object(value: object, field: str) -> dict[str, Any]:
    if value is None:
        return _NOTHING
    if not isinstance(value, dict):
        raise UnusableError(f"{field} holds something else than objects")
    return camel(value)


def _origin(resource_spans: dict[str, Any], scope_spans: dict[str, Any]) -> Origin:
    resource = _object(resource_spans.get("resource"), "resource")
    scope = _object(scope_spans.get("scope"), "scope")
    return make_origin(
        Described(
            attributes(resource),
            number(resource.get("droppedAttributesCount")),
            resource_spans.get("schemaUrl"),
        ),
        Described(attributes(scope), number(scope.get("droppedAttributesCount")), scope_spans.get("schemaUrl")),
        scope.get("name"),
        scope.get("version"),
    )


def _parts(span: dict[str, Any]) -> Parts:
    get = span.get
    status = _object(get("status"), "status")
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
        events=[_event(_object(event, "events")) for event in items(span, "events")],
        links=[_link(_object(link, "links")) for link in items(span, "links")],
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
