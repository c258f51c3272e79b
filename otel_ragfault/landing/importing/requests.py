"""From a record of a file to rows: whatever signal and wire form its requests have."""

from typing import TYPE_CHECKING, Any, Final

from otel_ragfault.landing.decoding.json import decode_json
from otel_ragfault.landing.decoding.logs_json import decode_logs_json
from otel_ragfault.landing.decoding.logs_protobuf import decode_logs_protobuf
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.protobuf import decode_protobuf
from otel_ragfault.landing.decoding.signal import LOGS, METRICS, TRACES, signal_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable

    from otel_ragfault.landing.decoding.build import Decoded
    from otel_ragfault.landing.decoding.logs import DecodedLogs
    from otel_ragfault.landing.importing.files import Record

    Requests = Iterable[Decoded | DecodedLogs]

_SIGNALS: Final = {
    "resourceSpans": TRACES,
    "resource_spans": TRACES,
    "resourceLogs": LOGS,
    "resource_logs": LOGS,
    "resourceMetrics": METRICS,
    "resource_metrics": METRICS,
    "resourceProfiles": "profiles",
    "resource_profiles": "profiles",
}
_DECODERS: "Final[dict[str, Callable[[object], Decoded | DecodedLogs]]]" = {
    TRACES: decode_json,
    LOGS: decode_logs_json,
}


def decode_record(record: "Record", skipped: "Counter[str]", *, logs: bool) -> "Requests":
    """Decode the requests of a record.

    Args:
        record: as it was read.
        skipped: counts requests that are not decoded, by signal.
        logs: whether log records are wanted.

    Raises:
        MalformedError: it holds something else than requests, or is damaged.
    """
    if record.problem is not None:
        raise MalformedError(record.problem)
    wanted = {TRACES, LOGS} if logs else {TRACES}
    if record.protobuf is not None:
        return _protobuf(record.protobuf, skipped, wanted)
    requests = record.json if isinstance(record.json, list) and record.line is None else [record.json]
    return [decoded for request in requests for decoded in _json(request, skipped, wanted)]


def _json(request: Any, skipped: "Counter[str]", wanted: set[str]) -> "Requests":
    if not isinstance(request, dict) or not request:
        return [decode_json(request)]
    signals = dict.fromkeys(_SIGNALS[name] for name in request if name in _SIGNALS)
    if not signals:
        raise MalformedError(f"an object without resourceSpans or resourceLogs (it has {_names(request)})")
    skipped.update(signal for signal in signals if signal not in wanted)
    return [_DECODERS[signal](request) for signal in signals if signal in wanted]


def _protobuf(body: bytes, skipped: "Counter[str]", wanted: set[str]) -> "Requests":
    signal = signal_of(body) or _guess(body)
    if signal not in wanted:
        skipped[signal] += 1
        return []
    return [decode_protobuf(body) if signal == TRACES else decode_logs_protobuf(body)]


def _guess(body: bytes) -> str:
    """Tell log records that are a body and no more from spans, which without ids are of no use."""
    rows = decode_logs_protobuf(body).rows
    return LOGS if any(row.body is not None for row in rows) else TRACES


def _names(request: dict[str, Any]) -> str:
    return ", ".join(str(name)[:40] for name in list(request)[:3])
