"""Is a protobuf body what it should be, and how much of it is usable? Nothing is built: it is kept as received."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from google.protobuf.message import DecodeError  # type: ignore[import-untyped] # no stubs are published with it
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from otel_ragfault.landing.decoding.build import SPAN_ID_BYTES, TRACE_ID_BYTES
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.salvage import UNPARSABLE, salvage, salvage_logs
from otel_ragfault.landing.decoding.signal import signal_of
from otel_ragfault.receiving.refusal import Reason, RefusedError
from otel_ragfault.receiving.signals import Signal

MOST_ITEMS: Final = 200_000
"""How many spans or log records a request may hold, usable or not."""

_NO_TRACE: Final = bytes(TRACE_ID_BYTES)
_NO_SPAN: Final = bytes(SPAN_ID_BYTES)


@dataclass(slots=True)
class Checked:
    """How many items of a request are usable, and how many are not, by reason."""

    good: int = 0
    unusable: Counter[str] = field(default_factory=Counter)


def check_traces(body: bytes) -> Checked:
    """Count the spans of an ``ExportTraceServiceRequest``; those without identity are unusable.

    Raises:
        RefusedError: the bytes are no such message.
    """
    checked = Checked()
    try:
        request = ExportTraceServiceRequest.FromString(body)
    except DecodeError:
        request = _salvaged(body, salvage, checked)
    _refuse_other_message(body, request.resource_spans, Signal.TRACES)
    for resource_spans in request.resource_spans:
        for scope_spans in resource_spans.scope_spans:
            if checked.good + checked.unusable.total() + len(scope_spans.spans) > MOST_ITEMS:
                raise RefusedError(Reason.TOO_LARGE, f"more than {MOST_ITEMS} spans; send fewer at a time")
            _check_spans(scope_spans.spans, checked)
    return checked


def check_logs(body: bytes) -> Checked:
    """Count the records of an ``ExportLogsServiceRequest``; a log record needs no identity.

    Raises:
        RefusedError: the bytes are no such message.
    """
    checked = Checked()
    try:
        request = ExportLogsServiceRequest.FromString(body)
    except DecodeError:
        request = _salvaged(body, salvage_logs, checked)
    _refuse_other_message(body, request.resource_logs, Signal.LOGS)
    checked.good = sum(len(scope.log_records) for resource in request.resource_logs for scope in resource.scope_logs)
    if checked.good > MOST_ITEMS:
        raise RefusedError(Reason.TOO_LARGE, f"more than {MOST_ITEMS} log records; send fewer at a time")
    return checked


def _check_spans(spans: Any, checked: Checked) -> None:
    good = 0
    for span in spans:
        trace_id, span_id = span.trace_id, span.span_id
        if (
            len(trace_id) == TRACE_ID_BYTES
            and len(span_id) == SPAN_ID_BYTES
            and trace_id != _NO_TRACE
            and span_id != _NO_SPAN
        ):
            good += 1
        else:
            checked.unusable[_identity_problem(trace_id, span_id)] += 1
    checked.good += good


def _identity_problem(trace_id: bytes, span_id: bytes) -> str:
    if len(trace_id) != TRACE_ID_BYTES:
        return f"trace id of {len(trace_id)} bytes, not {TRACE_ID_BYTES}"
    if len(span_id) != SPAN_ID_BYTES:
        return f"span id of {len(span_id)} bytes, not {SPAN_ID_BYTES}"
    return "trace id of zeros" if trace_id == _NO_TRACE else "span id of zeros"


def _salvaged(body: bytes, take_apart: Callable[[bytes, int], tuple[Any, int]], checked: Checked) -> Any:
    """Return the request with what parses of it; what does not is counted."""
    try:
        request, lost = take_apart(body, MOST_ITEMS)
    except MalformedError as error:
        raise RefusedError(Reason.MALFORMED, str(error)) from None
    if lost:
        checked.unusable[UNPARSABLE] += lost
    return request


def _refuse_other_message(body: bytes, groups: Any, signal: Signal) -> None:
    """Refuse bytes that parse only because fields of theirs are unknown: requests of all signals begin alike."""
    if body and not len(groups):
        raise RefusedError(Reason.MALFORMED, f"not a request of {signal.value}: none of its fields is there as it is")
    other = signal_of(body)
    if other not in {None, signal.value}:
        raise RefusedError(Reason.MALFORMED, f"a request of {other}, not of {signal.value}; send it to /v1/{other}")
