"""OTLP protobuf requests to rows."""

from typing import Any

from otel_ragfault.landing.decoding.build import Decoded, Parts, UnusableError, make_row
from otel_ragfault.landing.decoding.protobuf_fast import fast_row
from otel_ragfault.landing.decoding.protobuf_walk import SPANS, attributes, parse, walk
from otel_ragfault.landing.decoding.salvage import salvage


def decode_protobuf(body: bytes) -> Decoded:
    """Turn the body of an ``ExportTraceServiceRequest`` into rows.

    A span that cannot become a row, or that protobuf refuses to parse, is set aside and counted.

    Raises:
        MalformedError: the bytes are not such a message.
    """
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    decoded = Decoded()
    request = parse(body, ExportTraceServiceRequest, salvage, decoded.unusable)
    for origin, spans in walk(request, SPANS):
        for span in spans:
            try:
                decoded.rows.append(fast_row(span, origin) or make_row(parts_of(span), origin))
            except UnusableError as error:
                decoded.unusable[str(error)] += 1
    return decoded


def parts_of(span: Any) -> Parts:
    """Return the fields of a span."""
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
        attributes=attributes(span.attributes),
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
        "attributes": attributes(event.attributes),
        "dropped_attributes_count": event.dropped_attributes_count,
    }


def _link(link: Any) -> dict[str, Any]:
    return {
        "trace_id": link.trace_id.hex(),
        "span_id": link.span_id.hex(),
        "trace_state": link.trace_state,
        "attributes": attributes(link.attributes),
        "dropped_attributes_count": link.dropped_attributes_count,
        "flags": link.flags,
    }
