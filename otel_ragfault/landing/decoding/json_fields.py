"""Fields of OTLP/JSON messages: names in two spellings, ids in two, numbers in two, enums by name or number."""

import base64
import binascii
from typing import Any

from otel_ragfault.landing.decoding.build import UnusableError
from otel_ragfault.landing.decoding.values import Repaired, describe

_CAMEL = {
    "resource_spans": "resourceSpans",
    "scope_spans": "scopeSpans",
    "resource_logs": "resourceLogs",
    "scope_logs": "scopeLogs",
    "log_records": "logRecords",
    "schema_url": "schemaUrl",
    "trace_id": "traceId",
    "span_id": "spanId",
    "trace_state": "traceState",
    "parent_span_id": "parentSpanId",
    "start_time_unix_nano": "startTimeUnixNano",
    "end_time_unix_nano": "endTimeUnixNano",
    "time_unix_nano": "timeUnixNano",
    "observed_time_unix_nano": "observedTimeUnixNano",
    "severity_number": "severityNumber",
    "severity_text": "severityText",
    "event_name": "eventName",
    "dropped_attributes_count": "droppedAttributesCount",
    "dropped_events_count": "droppedEventsCount",
    "dropped_links_count": "droppedLinksCount",
}
_SNAKE = frozenset(_CAMEL)

_KINDS = {"UNSPECIFIED": 0, "INTERNAL": 1, "SERVER": 2, "CLIENT": 3, "PRODUCER": 4, "CONSUMER": 5}
_CODES = {"UNSET": 0, "OK": 1, "ERROR": 2}
_URL_SAFE = str.maketrans("-_", "+/")


def camel(message: dict[str, Any]) -> dict[str, Any]:
    """Return the message with its field names in camelCase."""
    if _SNAKE.isdisjoint(message):
        return message
    return {_CAMEL.get(name, name): value for name, value in message.items()}


def items(message: dict[str, Any], field: str) -> list[Any]:
    """Return a repeated field; an absent one is empty.

    Raises:
        UnusableError: it is something else than a list.
    """
    value = message.get(field)
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnusableError(f"{field} is not a list")
    return value


def id_bytes(sent: Any, size: int, what: str) -> bytes:
    """Return an id of ``size`` bytes, from hex digits of any case or from base64; an absent one is empty.

    Raises:
        UnusableError: it is neither.
    """
    if not sent:
        return b""
    if isinstance(sent, str):
        found = _from_hex(sent) if len(sent) == 2 * size else _from_base64(sent)
        if found is not None and len(found) == size:
            return found
    raise UnusableError(f"{what} that is neither {2 * size} hex digits nor base64 of {size} bytes")


def link_id(sent: Any, size: int) -> str | Repaired:
    """Return the id of a link as hex text."""
    try:
        return id_bytes(sent, size, "id").hex()
    except UnusableError:
        return Repaired("", describe(sent))


def number(sent: Any) -> int | Repaired | None:
    """Return an integer that was sent as a number or as text; ``None`` where there is none."""
    if sent is None or type(sent) is int:
        return sent
    if isinstance(sent, float) and sent.is_integer() and abs(sent) <= 2**53:
        return int(sent)
    if isinstance(sent, str):
        if not sent:
            return None
        try:
            return int(sent)
        except ValueError:
            pass
    return Repaired(None, describe(sent))


def span_kind(sent: Any) -> int | Repaired | None:
    """Return a span kind from its number, its name ``SPAN_KIND_CLIENT`` or the short name."""
    return _enum(sent, "SPAN_KIND_", _KINDS)


def status_code(sent: Any) -> int | Repaired | None:
    """Return a status code from its number, its name ``STATUS_CODE_ERROR`` or the short name."""
    return _enum(sent, "STATUS_CODE_", _CODES)


def _enum(sent: Any, prefix: str, numbers: dict[str, int]) -> int | Repaired | None:
    if isinstance(sent, str):
        found = numbers.get(sent.upper().removeprefix(prefix))
        if found is not None:
            return found
    return number(sent)


def _from_hex(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def _from_base64(text: str) -> bytes | None:
    try:
        return decode_base64(text)
    except ValueError:
        return None


def decode_base64(text: str) -> bytes:
    """Decode base64 in the standard or the URL-safe alphabet, padded or not.

    Raises:
        ValueError: it is not base64.
    """
    standard = text.translate(_URL_SAFE).rstrip("=")
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
