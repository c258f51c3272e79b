"""From the parts of a log record, whoever decoded them, to its row."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from otel_ragfault.landing.decoding.build import SPAN_ID_BYTES, TRACE_ID_BYTES, Origin
from otel_ragfault.landing.decoding.row_log import LogRow
from otel_ragfault.landing.decoding.scrub import scrubbed, write
from otel_ragfault.landing.decoding.values import Notes, Repaired, clean_text, describe, to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

EVENT_NAME = "event.name"
SEVERITIES = 25
_FOREVER = 2**63 - 1  # DuckDB keeps this value for infinity
_UINT32 = 2**32


@dataclass(slots=True)
class DecodedLogs:
    """What a decoder made of a request of logs: rows, and how many records were set aside, by reason."""

    rows: list[LogRow] = field(default_factory=list)
    unusable: Counter[str] = field(default_factory=Counter)


class LogParts(NamedTuple):
    """The fields of a log record as a decoder reads them; texts and numbers may still be anything."""

    time: Any
    observed_time: Any
    trace_id: bytes | Repaired
    span_id: bytes | Repaired
    severity_number: Any
    severity_text: Any
    event_name: Any
    body: Any
    attributes: "Mapping[str, Any]"
    flags: Any
    dropped_attributes_count: Any


def make_log_row(parts: LogParts, origin: Origin) -> LogRow:
    """Build the row of a log record. There is nothing that a record must have: what is wrong is noted and left out."""
    notes: Notes = dict(origin.notes)
    event = parts.event_name or parts.attributes.get(EVENT_NAME)
    trace_id = _identity(parts.trace_id, TRACE_ID_BYTES, "trace_id", notes)
    span_id = _identity(parts.span_id, SPAN_ID_BYTES, "span_id", notes)
    return LogRow(
        time=_number(parts.time, _FOREVER, "time", notes),
        observed_time=_number(parts.observed_time, _FOREVER, "observed_time", notes),
        trace_id=trace_id,
        span_id=int.from_bytes(span_id) if span_id else None,
        severity_number=_number(parts.severity_number, SEVERITIES, "severity_number", notes),
        severity_text=_text(parts.severity_text, "severity_text", notes),
        event_name=_text(event, "event_name", notes),
        service=origin.service,
        scope_name=origin.scope_name,
        scope_version=origin.scope_version,
        body=None if parts.body is None else _body(parts.body, notes),
        attributes=write(scrubbed(parts.attributes, "attributes", notes), "attributes", notes),
        resource=origin.resource,
        scope=origin.scope,
        flags=_number(parts.flags, _UINT32, "flags", notes),
        dropped_attributes_count=_number(parts.dropped_attributes_count, _UINT32, "dropped_attributes_count", notes)
        or 0,
        repairs=to_json(notes, "repairs", {}) if notes else None,
    )


def _body(body: Any, notes: Notes) -> str:
    return write(scrubbed(body, "body", notes) if isinstance(body, dict) else body, "body", notes)


def _identity(sent: bytes | Repaired, size: int, name: str, notes: Notes) -> bytes | None:
    if isinstance(sent, Repaired):
        notes[name] = sent.original
    elif len(sent) == size:
        return sent if any(sent) else None
    elif sent:
        notes[name] = sent.hex()
    return None


def _number(sent: Any, bound: int, name: str, notes: Notes) -> int | None:
    """Return a number below the bound; 0 is OTLP's "not given"."""
    if isinstance(sent, int) and 0 <= sent < bound:
        return sent or None
    if sent is not None:
        notes[name] = describe(sent)
    return None


def _text(sent: Any, name: str, notes: Notes) -> str | None:
    if isinstance(sent, str):
        return clean_text(sent, name, notes) or None
    if sent is not None:
        notes[name] = describe(sent)
    return None
