"""From the parts of a span, whoever decoded them, to its row: identity checked, hot columns filled, oddities noted."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from otel_ragfault.landing.decoding.row import SpanRow
from otel_ragfault.landing.decoding.scrub import LANGFUSE_KEY, scrubbed, scrubbed_items, write
from otel_ragfault.landing.decoding.values import Notes, Repaired, clean_text, describe, to_json
from otel_ragfault.semconv import GEN_AI_OPERATION_NAME, RAGFAULT_STAGE, SERVICE_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

TRACE_ID_BYTES = 16
SPAN_ID_BYTES = 8
KINDS = 6
STATUS_CODES = 3
_NO_TRACE = bytes(TRACE_ID_BYTES)
_NO_SPAN = bytes(SPAN_ID_BYTES)
_FOREVER = 2**63 - 1  # DuckDB keeps this value for infinity
_UINT32 = 2**32


@dataclass(slots=True)
class Decoded:
    """What a decoder made of a request: rows, and how many spans were set aside, by reason."""

    rows: list[SpanRow] = field(default_factory=list)
    unusable: Counter[str] = field(default_factory=Counter)


class UnusableError(ValueError):
    """A span that cannot become a row; the message is the reason it is counted under."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What the spans of one resource and scope share."""

    service: str | None
    scope_name: str | None
    scope_version: str | None
    resource: str | None
    scope: str | None
    notes: Notes


class Described(NamedTuple):
    """A resource or a scope as sent."""

    attributes: "Mapping[str, Any]"
    dropped_attributes_count: Any
    schema_url: Any


class Parts(NamedTuple):
    """The fields of a span as a decoder reads them; texts and numbers may still be anything."""

    trace_id: bytes
    span_id: bytes
    parent_span_id: bytes | Repaired
    name: Any
    kind: Any
    start_time: Any
    end_time: Any
    status_code: Any
    status_message: Any
    attributes: "Mapping[str, Any]"
    events: list[dict[str, Any]]
    links: list[dict[str, Any]]
    trace_state: Any
    flags: Any
    dropped_attributes_count: Any
    dropped_events_count: Any
    dropped_links_count: Any


def make_origin(resource: Described, scope: Described, scope_name: Any, scope_version: Any) -> Origin:
    """Write the resource and scope of some spans once."""
    notes: Notes = {}
    return Origin(
        service=_hot(resource.attributes, SERVICE_NAME, notes),
        scope_name=_optional_text(scope_name, "scope_name", notes),
        scope_version=_optional_text(scope_version, "scope_version", notes),
        resource=_described(resource, "resource", notes),
        scope=_described(scope, "scope", notes, LANGFUSE_KEY),
        notes=notes,
    )


def make_row(parts: Parts, origin: Origin) -> SpanRow:
    """Build the row of a span.

    Raises:
        UnusableError: the span has no identity.
    """
    notes: Notes = dict(origin.notes)
    trace_id, span_id = _identity(parts)
    attributes = parts.attributes
    return SpanRow(
        trace_id=trace_id,
        span_id=span_id,
        parent_span_id=_parent(parts.parent_span_id, notes),
        name=_text(parts.name, "name", notes),
        kind=_bounded(parts.kind, KINDS, "kind", notes),
        start_time=_time(parts.start_time, "start_time", notes),
        end_time=_time(parts.end_time, "end_time", notes),
        status_code=_bounded(parts.status_code, STATUS_CODES, "status_code", notes),
        status_message=_optional_text(parts.status_message, "status_message", notes),
        service=origin.service,
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        operation=_hot(attributes, GEN_AI_OPERATION_NAME, notes),
        stage=_hot(attributes, RAGFAULT_STAGE, notes),
        attributes=write(scrubbed(attributes, "attributes", notes), "attributes", notes),
        events=write(scrubbed_items(parts.events, "events", notes), "events", notes) if parts.events else None,
        links=write(scrubbed_items(parts.links, "links", notes), "links", notes) if parts.links else None,
        resource=origin.resource,
        scope=origin.scope,
        trace_state=_optional_text(parts.trace_state, "trace_state", notes),
        flags=_bounded(parts.flags, _UINT32, "flags", notes) or None,
        dropped_attributes_count=_bounded(parts.dropped_attributes_count, _UINT32, "dropped_attributes_count", notes),
        dropped_events_count=_bounded(parts.dropped_events_count, _UINT32, "dropped_events_count", notes),
        dropped_links_count=_bounded(parts.dropped_links_count, _UINT32, "dropped_links_count", notes),
        repairs=to_json(notes, "repairs", {}) if notes else None,
    )


def _identity(parts: Parts) -> tuple[bytes, int]:
    if len(parts.trace_id) != TRACE_ID_BYTES:
        raise UnusableError(f"trace id of {len(parts.trace_id)} bytes, not {TRACE_ID_BYTES}")
    if len(parts.span_id) != SPAN_ID_BYTES:
        raise UnusableError(f"span id of {len(parts.span_id)} bytes, not {SPAN_ID_BYTES}")
    if parts.trace_id == _NO_TRACE:
        raise UnusableError("trace id of zeros")
    if parts.span_id == _NO_SPAN:
        raise UnusableError("span id of zeros")
    return parts.trace_id, int.from_bytes(parts.span_id)


def _parent(sent: bytes | Repaired, notes: Notes) -> int | None:
    if isinstance(sent, Repaired):
        notes["parent_span_id"] = sent.original
    elif len(sent) == SPAN_ID_BYTES:
        return int.from_bytes(sent) or None
    elif sent:
        notes["parent_span_id"] = sent.hex()
    return None


def _time(sent: Any, name: str, notes: Notes) -> int | None:
    if not sent:
        return None  # 0 is OTLP's "not known"
    if isinstance(sent, int) and 0 < sent < _FOREVER:
        return sent
    notes[name] = describe(sent)
    return None


def _bounded(sent: Any, bound: int, name: str, notes: Notes) -> int:
    if isinstance(sent, int) and 0 <= sent < bound:
        return sent
    if sent is not None:
        notes[name] = describe(sent)
    return 0


def _text(sent: Any, name: str, notes: Notes) -> str:
    if isinstance(sent, str):
        return clean_text(sent, name, notes)
    if sent is not None:
        notes[name] = describe(sent)
    return ""


def _optional_text(sent: Any, name: str, notes: Notes) -> str | None:
    return _text(sent, name, notes) or None


def _hot(attributes: "Mapping[str, Any]", key: str, notes: Notes) -> str | None:
    value = attributes.get(key)
    return clean_text(value, f"attributes.{key}", notes) if isinstance(value, str) else None


def _described(what: Described, name: str, notes: Notes, secret: "AbstractSet[str]" = frozenset()) -> str | None:
    if not (what.attributes or what.dropped_attributes_count or what.schema_url):
        return None
    value = {
        "attributes": scrubbed(what.attributes, f"{name}.attributes", notes, secret),
        "dropped_attributes_count": what.dropped_attributes_count or 0,
        "schema_url": what.schema_url or "",
    }
    return write(value, name, notes)
