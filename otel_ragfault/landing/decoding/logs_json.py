"""OTLP/JSON requests of logs to rows, read as leniently as those of spans."""

from typing import Any

from otel_ragfault.landing.decoding.build import (
    SPAN_ID_BYTES,
    TRACE_ID_BYTES,
    Described,
    Origin,
    UnusableError,
    make_origin,
)
from otel_ragfault.landing.decoding.json_fields import camel, id_bytes, items, number
from otel_ragfault.landing.decoding.json_values import attributes
from otel_ragfault.landing.decoding.logs import DecodedLogs, LogParts, make_log_row
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.values import Repaired, describe

_CAMEL = {
    "resource_logs": "resourceLogs",
    "scope_logs": "scopeLogs",
    "log_records": "logRecords",
    "observed_time_unix_nano": "observedTimeUnixNano",
    "severity_number": "severityNumber",
    "severity_text": "severityText",
    "event_name": "eventName",
}
_LEVELS = {"TRACE": 1, "DEBUG": 5, "INFO": 9, "WARN": 13, "ERROR": 17, "FATAL": 21}
_STEPS = {"": 0, "2": 1, "3": 2, "4": 3}


def decode_logs_json(request: object) -> DecodedLogs:
    """Turn a parsed ``ExportLogsServiceRequest`` into rows. Without ``resourceLogs`` there are none.

    What cannot become a row is set aside and counted.

    Raises:
        MalformedError: the request is not an object, or its ``resourceLogs`` is no list.
    """
    if not isinstance(request, dict):
        raise MalformedError(f"a JSON {type(request).__name__}, not an object with resourceLogs")
    decoded = DecodedLogs()
    try:
        groups = items(_named(request), "resourceLogs")
    except UnusableError as error:
        raise MalformedError(str(error)) from None
    for group in groups:
        try:
            resource_logs = _object(group, "resourceLogs")
            scopes = items(resource_logs, "scopeLogs")
        except UnusableError as error:
            decoded.unusable[str(error)] += 1
            continue
        for scope in scopes:
            _decode_scope(resource_logs, scope, decoded)
    return decoded


def _decode_scope(resource_logs: dict[str, Any], sent: Any, decoded: DecodedLogs) -> None:
    try:
        scope_logs = _object(sent, "scopeLogs")
        records = items(scope_logs, "logRecords")
        origin = _origin(resource_logs, scope_logs)
    except UnusableError as error:
        inside = sent.get("logRecords") if isinstance(sent, dict) else None
        decoded.unusable[str(error)] += len(inside) if isinstance(inside, list) else 1
        return
    for record in records:
        try:
            decoded.rows.append(make_log_row(_parts(_object(record, "logRecords")), origin))
        except UnusableError as error:
            decoded.unusable[str(error)] += 1


def _named(message: dict[str, Any]) -> dict[str, Any]:
    return {_CAMEL.get(name, name): value for name, value in camel(message).items()}


def _object(value: object, field: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnusableError(f"{field} holds something else than objects")
    return _named(value)


def _origin(resource_logs: dict[str, Any], scope_logs: dict[str, Any]) -> Origin:
    resource = _object(resource_logs.get("resource"), "resource")
    scope = _object(scope_logs.get("scope"), "scope")
    return make_origin(
        Described(attributes(resource), number(resource.get("droppedAttributesCount")), resource_logs.get("schemaUrl")),
        Described(attributes(scope), number(scope.get("droppedAttributesCount")), scope_logs.get("schemaUrl")),
        scope.get("name"),
        scope.get("version"),
    )


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
