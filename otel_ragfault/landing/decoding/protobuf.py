"""OTLP protobuf requests to rows."""

from typing import Any

from otel_ragfault.landing.decoding.build import Decoded, Described, Origin, Parts, UnusableError, make_origin, make_row
from otel_ragfault.landing.decoding.otlp import key_values
from otel_ragfault.landing.decoding.protobuf_fast import fast_row
from otel_ragfault.landing.decoding.salvage import salvage
from otel_ragfault.landing.decoding.values import MAX_DEPTH, Repaired


def decode_protobuf(body: bytes) -> Decoded:
    """Turn the body of an ``ExportTraceServiceRequest`` into rows.

    A span that cannot become a row, or that protobuf refuses to parse, is set aside and counted.

    Raises:
        MalformedError: the bytes are not such a message.
    """
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    decoded = Decoded()
    try:
        request = ExportTraceServiceRequest.FromString(body)
    except DecodeError:
        request, lost = salvage(body)
        if lost:
            decoded.unusable["not parsable as protobuf (text that is not UTF-8, or nested too deeply)"] += lost
    for resource_spans in request.resource_spans:
        for scope_spans in resource_spans.scope_spans:
            origin = _origin(resource_spans, scope_spans)
            for span in scope_spans.spans:
                try:
                    decoded.rows.append(fast_row(span, origin) or make_row(_parts(span), origin))
                except UnusableError as error:
                    decoded.unusable[str(error)] += 1
    return decoded


def _origin(resource_spans: Any, scope_spans: Any) -> Origin:
    resource, scope = resource_spans.resource, scope_spans.scope
    return make_origin(
        Described(_attributes(resource.attributes), resource.dropped_attributes_count, resource_spans.schema_url),
        Described(_attributes(scope.attributes), scope.dropped_attributes_count, scope_spans.schema_url),
        scope.name,
        scope.version,
    )


def _parts(span: Any) -> Parts:
    status = span.status
    return Parts(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_span_id=span.parent_span_id,
        name=span.name,
        kind=span.kind,
        start_time=span.start_time_unix_nano,
        end_time=span.end_time_unix_nano,
        status_code=status.code,
        status_message=status.message,
        attributes=_attributes(span.attributes),
        events=[_event(event) for event in span.events],
        links=[_link(link) for link in span.links],
        trace_state=span.trace_state,
        flags=span.flags,
        dropped_attributes_count=span.dropped_attributes_count,
        dropped_events_count=span.dropped_events_count,
        dropped_links_count=span.dropped_links_count,
    )


def _event(event: Any) -> dict[str, Any]:
    return {
        "name": event.name,
        "time_unix_nano": event.time_unix_nano,
        "attributes": _attributes(event.attributes),
        "dropped_attributes_count": event.dropped_attributes_count,
    }


def _link(link: Any) -> dict[str, Any]:
    return {
        "trace_id": link.trace_id.hex(),
        "span_id": link.span_id.hex(),
        "trace_state": link.trace_state,
        "attributes": _attributes(link.attributes),
        "dropped_attributes_count": link.dropped_attributes_count,
        "flags": link.flags,
    }


def _attributes(pairs: Any, depth: int = 0) -> dict[str, Any]:
    values = {pair.key: _value(pair.value, depth) for pair in pairs}
    if len(values) == len(pairs):
        return values
    return key_values([(pair.key, _value(pair.value, depth)) for pair in pairs])


def _value(value: Any, depth: int) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        if depth >= MAX_DEPTH:
            return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
        return [_value(item, depth + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        if depth >= MAX_DEPTH:
            return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
        return _attributes(value.kvlist_value.values, depth + 1)
    return None if kind is None else getattr(value, kind)
