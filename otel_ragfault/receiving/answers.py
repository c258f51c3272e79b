"""What is sent back: OTLP responses and ``google.rpc.Status``, in protobuf or JSON."""

from typing import Final

import orjson
from google.protobuf.duration_pb2 import Duration  # type: ignore[import-untyped] # no stubs are published with it
from google.rpc.error_details_pb2 import RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsPartialSuccess, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)

from otel_ragfault.counting import counted
from otel_ragfault.receiving.bodies import Form
from otel_ragfault.receiving.checks import Checked
from otel_ragfault.receiving.refusal import RefusedError
from otel_ragfault.receiving.signals import Signal

_REASONS_NAMED: Final = 3


def export_response(signal: Signal, checked: Checked, form: Form) -> bytes:
    """Return the response to a request that was taken; what is unusable is a partial success."""
    rejected = checked.unusable.total()
    if form is Form.JSON:
        return _json_response(signal, rejected, checked)
    if not rejected:
        return b""
    message = _explained(signal, checked)
    if signal is Signal.TRACES:
        trace_part = ExportTracePartialSuccess(rejected_spans=rejected, error_message=message)
        return bytes(ExportTraceServiceResponse(partial_success=trace_part).SerializeToString())
    logs_part = ExportLogsPartialSuccess(rejected_log_records=rejected, error_message=message)
    return bytes(ExportLogsServiceResponse(partial_success=logs_part).SerializeToString())


def status_body(refused: RefusedError, form: Form) -> bytes:
    """Return the ``google.rpc.Status`` of a refusal."""
    if form is Form.PROTOBUF:
        return status_message(refused)
    status: dict[str, object] = {"code": refused.reason.grpc_code, "message": refused.message}
    if refused.reason.retry_after is not None:
        retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{refused.reason.retry_after}s"}
        status["details"] = [retry]
    return orjson.dumps(status)


def status_message(refused: RefusedError) -> bytes:
    """Return the ``google.rpc.Status`` of a refusal in protobuf, as gRPC has it in its trailers."""
    status = Status(code=refused.reason.grpc_code, message=refused.message)
    if refused.reason.retry_after is not None:
        status.details.add().Pack(RetryInfo(retry_delay=Duration(seconds=refused.reason.retry_after)))
    return bytes(status.SerializeToString())


def _json_response(signal: Signal, rejected: int, checked: Checked) -> bytes:
    if not rejected:
        return b"{}"
    count = "rejectedSpans" if signal is Signal.TRACES else "rejectedLogRecords"
    part = {count: str(rejected), "errorMessage": _explained(signal, checked)}  # 64-bit integers are text in JSON
    return orjson.dumps({"partialSuccess": part})


def _explained(signal: Signal, checked: Checked) -> str:
    found = checked.unusable.most_common(_REASONS_NAMED)
    more = len(checked.unusable) - len(found)
    reasons = "; ".join(f"{count} with {reason}" for reason, count in found)
    others = f"; and {counted(more, 'more reason')}" if more else ""
    return f"{signal.items} that cannot be stored: {reasons}{others}"
