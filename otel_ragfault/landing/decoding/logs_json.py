"""OTLP/JSON requests of logs to rows, read as leniently as those of spans."""

from typing import Any

from otel_ragfault.landing.decoding.build import SPAN_ID_BYTES, TRACE_ID_BYTES, Origin, UnusableError
from otel_ragfault.landing.decoding.json_fields import id_bytes, number
from otel_ragfault.landing.decoding.json_values import attributes
from otel_ragfault.landing.decoding.json_walk import LOG_RECORDS, walk
from otel_ragfault.landing.decoding.logs import DecodedLogs, LogParts, make_log_row
from otel_ragfault.landing.decoding.row_log import LogRow
from otel_ragfault.landing.decoding.values import Repaired, describe

_LEVELS = {"TRACE": 1, "DEBUG": 5, "INFO": 9, "WARN": 13, "ERROR": 17, "FATAL": 21}
_STEPS = {"": 0, "2": 1, "3": 2, "4": 3}


def decode_logs_json(request: object) -> DecodedLogs:
    """Turn a parsed ``ExportLogsServiceRequest`` into rows. Without ``resourceLogs`` there are none.

    What cannot become a row is set aside and counted.

    Raises:
        MalformedError: the request is not an object, or its ``resourceLogs`` is no list.
    """
    decoded = DecodedLogs()
    decoded.rows = walk(request, LOG_RECORDS, _row, decoded.unusable)
    return decoded


def _row(record: dict[str, Any], origin: Origin) -> LogRow:
    return make_log_row(_parts(record), origin)


def _parts(record: dict[str, Any]) -> LogParts:
    get = record.get
    body = get("body")
    return LogParts(
        time=number(get("timeUnixNano")),
        observed_time=number(get("observedTimeUnixNano")),
        trace_id=_identity(get("traceId"), TRACE_ID_BYTES, "trace id"),
        span_id=_identity(get("spanId"), SPAN_ID_BYTES, "span id"),
        severity_number=_severity(get("severityNumber")),
        severity_text=get("severityText"),
        event_name=get("eventName"),
        body=attributes({"attributes": [{"key": "body", "value": body}]})["body"] if body is not None else None,
        attributes=attributes(record),
        flags=number(get("flags")),
        dropped_attributes_count=number(get("droppedAttributesCount")),
    )


def _identity(sent: Any, size: int, what: str) -> bytes | Repaired:
    try:
        return id_bytes(sent, size, what)
    except UnusableError:
        return Repaired(None, describe(sent))


def _severity(sent: Any) -> int | Repaired | None:
    """Return a severity from its number or its name, such as ``SEVERITY_NUMBER_WARN2``."""
    if isinstance(sent, str):
        name = sent.upper().removeprefix("SEVERITY_NUMBER_")
        if name == "UNSPECIFIED":
            return None
        level, step = name.rstrip("234"), name[len(name.rstrip("234")) :]
        if level in _LEVELS and step in _STEPS:
            return _LEVELS[level] + _STEPS[step]
    return number(sent)
