"""OTLP protobuf requests of logs to rows."""

from typing import Any

from otel_ragfault.landing.decoding.logs import DecodedLogs, LogParts, make_log_row
from otel_ragfault.landing.decoding.protobuf_walk import LOG_RECORDS, attributes, parse, value_of, walk
from otel_ragfault.landing.decoding.salvage import salvage_logs


def decode_logs_protobuf(body: bytes) -> DecodedLogs:
    """Turn the body of an ``ExportLogsServiceRequest`` into rows.

    A record that protobuf refuses to parse is set aside and counted.

    Raises:
        MalformedError: the bytes are not such a message.
    """
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    decoded = DecodedLogs()
    request = parse(body, ExportLogsServiceRequest, salvage_logs, decoded.unusable)
    for origin, records in walk(request, LOG_RECORDS):
        decoded.rows += [make_log_row(_parts(record), origin) for record in records]
    return decoded


def _parts(record: Any) -> LogParts:
    return LogParts(
        time=record.time_unix_nano,
        observed_time=record.observed_time_unix_nano,
        trace_id=record.trace_id,
        span_id=record.span_id,
        severity_number=record.severity_number,
        severity_text=record.severity_text,
        event_name=getattr(record, "event_name", ""),  # not in the oldest releases of opentelemetry-proto we allow
        body=value_of(record.body) if record.HasField("body") else None,
        attributes=attributes(record.attributes),
        flags=record.flags,
        dropped_attributes_count=record.dropped_attributes_count,
    )
