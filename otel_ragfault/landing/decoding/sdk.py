"""Spans of the OpenTelemetry SDK to rows, without protobuf between them."""

from typing import TYPE_CHECKING, Any

from otel_ragfault.landing.decoding.build import Decoded, Described, Origin, Parts, UnusableError, make_origin, make_row
from otel_ragfault.landing.decoding.sdk_fast import fast_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import Event, ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import Link, SpanContext

_HAS_IS_REMOTE = 0x100
_IS_REMOTE = 0x200


def decode_spans(spans: "Iterable[ReadableSpan]") -> Decoded:
    """Turn ended spans into rows, the same rows that the SDK's own OTLP encoding would give.

    A span that cannot become a row is set aside and counted; nothing is raised for it.
    """
    decoded = Decoded()
    origins: dict[tuple[int, int], Origin] = {}  # by identity: hashing a resource writes all of it as JSON
    for span in spans:
        try:
            key = (id(span.resource), id(span.instrumentation_scope))
            origin = origins.get(key)
            if origin is None:
                origin = origins[key] = _origin(span.resource, span.instrumentation_scope)
            decoded.rows.append(fast_row(span, origin) or make_row(_parts(span), origin))
        except UnusableError as error:
            decoded.unusable[str(error)] += 1
        except Exception as error:  # noqa: BLE001 - a span made by hand may hold anything, and must not cost the others
            decoded.unusable[f"not a span of the SDK ({type(error).__name__})"] += 1
    return decoded


def _origin(resource: "Resource", scope: "InstrumentationScope | None") -> Origin:
    of_resource = Described(_plain(resource.attributes), 0, resource.schema_url)
    if scope is None:
        return make_origin(of_resource, Described({}, 0, ""), None, None)
    return make_origin(of_resource, Described(_plain(scope.attributes), 0, scope.schema_url), scope.name, scope.version)


def _parts(span: "ReadableSpan") -> Parts:
    context = span.context
    if context is None:
        raise UnusableError("no span context")
    return Parts(
        trace_id=_id_bytes(context.trace_id, 16),
        span_id=_id_bytes(context.span_id, 8),
        parent_span_id=_id_bytes(span.parent.span_id, 8) if span.parent else b"",
        name=span.name,
        kind=span.kind.value + 1,
        start_time=span.start_time,
        end_time=span.end_time,
        status_code=span.status.status_code.value,
        status_message=span.status.description,
        attributes=_plain(span.attributes),
        events=[_event(event) for event in span.events],
        links=[_link(link) for link in span.links],
        trace_state=_trace_state(context),
        flags=_flags(span.parent),
        dropped_attributes_count=span.dropped_attributes,
        dropped_events_count=span.dropped_events,
        dropped_links_count=span.dropped_links,
    )


def _id_bytes(number: int, size: int) -> bytes:
    if not 0 <= number < 1 << 8 * size:
        raise UnusableError(f"id beyond {size} bytes")
    return number.to_bytes(size)


def _event(event: "Event") -> dict[str, Any]:
    return {
        "name": event.name,
        "time_unix_nano": event.timestamp,
        "attributes": _plain(event.attributes),
        "dropped_attributes_count": event.dropped_attributes,
    }


def _link(link: "Link") -> dict[str, Any]:
    return {
        "trace_id": f"{link.context.trace_id:032x}",
        "span_id": f"{link.context.span_id:016x}",
        "trace_state": _trace_state(link.context),
        "attributes": _plain(link.attributes),
        "dropped_attributes_count": link.dropped_attributes,
        "flags": _flags(link.context),
    }


def _trace_state(context: "SpanContext") -> str:
    return ",".join(f"{key}={value}" for key, value in context.trace_state.items()) if context.trace_state else ""


def _flags(context: "SpanContext | None") -> int:
    return _HAS_IS_REMOTE | _IS_REMOTE if context is not None and context.is_remote else _HAS_IS_REMOTE


def _plain(attributes: "Mapping[str, Any] | None") -> dict[str, Any]:
    if not attributes:
        return {}
    try:
        copied = attributes.copy()  # type: ignore[attr-defined] # the SDK's mapping has it, and it is the cheap way
    except AttributeError:
        return dict(attributes)
    return copied if type(copied) is dict else dict(copied)
