"""OTLP protobuf requests of logs to rows."""

from typing import Any

from otel_ragfault.landing.decoding.build import Described, Origin, make_origin
from otel_ragfault.landing.decoding.logs import DecodedLogs, LogParts, make_log_row
from otel_ragfault.landing.decoding.otlp import key_values
from otel_ragfault.landing.decoding.salvage import UNPARSABLE, salvage_logs
from otel_ragfault.landing.decoding.values import MAX_DEPTH, Repaired


def decode_logs_protobuf(body: bytes) -> DecodedLogs:
    """Turn the body of an ``ExportLogsServiceRequest`` into rows.

    A record that protobuf refuses to parse is set aside and counted.

    Raises:
        MalformedError: the bytes are not such a message.
    """
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    decoded = DecodedLogs()
    try:
        request = ExportLogsServiceRequest.FromString(body)
    except DecodeError:
        request, lost = salvage_logs(body)
        if lost:
            decoded.unusable[UNPARSABLE] += lost
    for resource_logs in request.resource_logs:
        for scope_logs in resource_logs.scope_logs:
            origin = _origin(resource_logs, scope_logs)
            decoded.rows += [make_log_row(_parts(record), origin) for record in scope_logs.log_records]
    return decoded


def _origin(resource_logs: Any, scope_logs: Any) -> Origin:
    resource, scope = resource_logs.resource, scope_logs.scope
    return make_origin(
        Described(_attributes(resource.attributes), resource.dropped_attributes_count, resource_logs.schema_url),
        Described(_attributes(scope.attributes), scope.dropped_attributes_count, scope_logs.schema_url),
        scope.name,
        scope.version,
    )


def _parts(record: Any) -> LogParts:
    return LogParts(
        time=record.time_unix_nano,
        observed_time=record.observed_time_unix_nano,
        trace_id=record.trace_id,
        span_id=record.span_id,
        severity_number=record.severity_number,
        severity_text=record.severity_text,
        event_name=getattr(record, "event_name", ""),  # not in the oldest releases of opentelemetry-proto we allow
        body=_value(record.body, 0) if record.HasField("body") else None,
        attributes=_attributes(record.attributes),
        flags=record.flags,
        dropped_attributes_count=record.dropped_attributes_count,
    )


def _attributes(pairs: Any, depth: int = 0) -> dict[str, Any]:
    return key_values([(pair.key, _value(pair.value, depth)) for pair in pairs])


def _value(value: Any, depth: int) -> Any:
    kind = value.WhichOneof("value")
    if kind in {"array_value", "kvlist_value"} and depth >= MAX_DEPTH:
        return Repaired(None, f"left out: nested deeper than {MAX_DEPTH} levels")
    if kind == "array_value":
        return [_value(item, depth + 1) for item in value.array_value.values]
    if kind == "kvlist_value":
        return _attributes(value.kvlist_value.values, depth + 1)
    return None if kind is None else getattr(value, kind)
