"""OTLP/JSON bodies: they are decoded at once, and kept as rows."""

from typing import Any, Final

import pyarrow as pa

from otel_ragfault.landing import SPAN_SCHEMA, MalformedError, decode_json, to_table
from otel_ragfault.landing.decoding.json_text import parse_json
from otel_ragfault.landing.decoding.json_walk import LOG_RECORDS, SPANS, count_items
from otel_ragfault.landing.decoding.logs_json import decode_logs_json
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA, to_log_table
from otel_ragfault.landing.spool import RecordKind
from otel_ragfault.receiving.checks import MOST_ITEMS, Checked
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal

_FIELDS: Final = {
    Signal.TRACES: frozenset({"resourceSpans", "resource_spans"}),
    Signal.LOGS: frozenset({"resourceLogs", "resource_logs"}),
}
_SHAPES: Final = {Signal.TRACES: SPANS, Signal.LOGS: LOG_RECORDS}


def prepare_json(signal: Signal, body: bytes) -> tuple[RecordKind, bytes, Checked]:
    """Return the record that a JSON body becomes.

    Raises:
        RefusedError: it is not JSON, or not a request of this signal, or too large a one.
    """
    try:
        request = parse_json(body)
        _refuse_other_signal(signal, request)
        if count_items(request, _SHAPES[signal]) > MOST_ITEMS:
            raise RefusedError(Reason.TOO_LARGE, f"more than {MOST_ITEMS} {signal.items}; send fewer at a time")
        return _spans(request) if signal is Signal.TRACES else _logs(request)
    except (MalformedError, RecursionError) as error:
        raise RefusedError(Reason.MALFORMED, str(error)) from None


def _spans(request: Any) -> tuple[RecordKind, bytes, Checked]:
    decoded = decode_json(request)
    checked = Checked(len(decoded.rows), decoded.unusable)
    return RecordKind.SPAN_ROWS, _stream(to_table(decoded.rows), SPAN_SCHEMA), checked


def _logs(request: Any) -> tuple[RecordKind, bytes, Checked]:
    decoded = decode_logs_json(request)
    checked = Checked(len(decoded.rows), decoded.unusable)
    return RecordKind.LOG_ROWS, _stream(to_log_table(decoded.rows), LOG_SCHEMA), checked


def _stream(table: pa.Table, schema: pa.Schema) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _refuse_other_signal(signal: Signal, request: Any) -> None:
    """Refuse an object that holds another signal; one with unknown fields only is an empty request, as OTLP has it."""
    if not isinstance(request, dict) or not _FIELDS[signal].isdisjoint(request):
        return
    others = sorted(name for name in request if isinstance(name, str) and name.startswith("resource"))
    if others:
        raise MalformedError(f"{others[0][:40]} in a request of {signal.value}")
