"""The common span of the SDK to its row, at half the cost of the general way.

It reads the SDK's own fields instead of its properties, which copy. Whatever is out of the ordinary (events, links,
text beyond ASCII outside of attributes, anything that wants a note) is left to the general way, which gives the same
row.
"""

from typing import TYPE_CHECKING, Any

import orjson

from otel_ragfault.landing.decoding.row import SpanRow
from otel_ragfault.landing.decoding.scrub import needs_a_look
from otel_ragfault.semconv import GEN_AI_OPERATION_NAME, RAGFAULT_STAGE

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

    from otel_ragfault.landing.decoding.build import Origin

_FOREVER = 2**63 - 1
_UINT32 = 2**32
_HAS_IS_REMOTE = 0x100


def fast_row(span: "ReadableSpan", origin: "Origin") -> SpanRow | None:
    """Return the row of a span, or ``None`` when the general way has to look at it."""
    try:
        return _row(span, origin)
    except (AttributeError, TypeError, OverflowError, ValueError):  # another release of the SDK, or an odd span
        return None


def _row(span: Any, origin: "Origin") -> SpanRow | None:
    context, parent, status = span._context, span._parent, span._status  # noqa: SLF001 - see above
    events, links, bounded = span._events, span._links, span._attributes  # noqa: SLF001
    name, start, end, message = span._name, span._start_time, span._end_time, status.description  # noqa: SLF001
    plain = not (len(events) or len(links) or context.trace_state or origin.notes or (parent and parent.is_remote))
    if not (plain and 0 < start < _FOREVER and 0 < end < _FOREVER and context.trace_id and context.span_id):
        return None
    attributes = bounded.copy()
    operation, stage = attributes.get(GEN_AI_OPERATION_NAME), attributes.get(RAGFAULT_STAGE)
    if not (_is_ascii(name) and _is_ascii(message) and _is_ascii(operation) and _is_ascii(stage)):
        return None
    text = orjson.dumps(attributes)
    # NaN, what could pass for a marker, and what might be a credential
    if b"null" in text or b'"$' in text or needs_a_look(attributes, text):
        return None
    return SpanRow(  # in the order of its fields: keywords cost a microsecond
        context.trace_id.to_bytes(16),
        _uint64(context.span_id),
        None if parent is None else _uint64(parent.span_id) or None,
        name,
        span._kind.value + 1,  # noqa: SLF001
        start,
        end,
        status.status_code.value,
        message or None,
        *(origin.service, origin.scope_name, origin.scope_version),
        operation,
        stage,
        text.decode(),
        *(None, None),  # events, links
        origin.resource,
        origin.scope,
        None,  # trace state
        _HAS_IS_REMOTE,
        *(_uint32(bounded.dropped), _uint32(events.dropped), _uint32(links.dropped)),
        None,  # repairs
    )


def _is_ascii(text: str | None) -> bool:
    return text is None or text.isascii()


def _uint32(number: int) -> int:
    if not 0 <= number < _UINT32:
        raise OverflowError(number)
    return number


def _uint64(number: int) -> int:
    if not 0 <= number < 1 << 64:
        raise OverflowError(number)
    return number
