"""Events as log records of the OpenTelemetry SDK."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from otel_ragfault import __version__
from otel_ragfault.counting import counted
from otel_ragfault.errors import InputError
from otel_ragfault.semconv import GEN_AI_EVALUATION_EVENT, SCOPE_NAME, SERVICE_NAME

if TYPE_CHECKING:
    from opentelemetry.context import Context

    from otel_ragfault.jobs.emitting.events import Event

_SERVICE: Final = "ragfault"
_UNNAMED: Final = "unknown_service"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def log_records(events: "Sequence[Event]") -> Sequence[ReadableLogRecord]:
    """Return a log record for each event, in the context of the judged span.

    Raises:
        InputError: the environment switches the SDK off.
    """
    memory = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider = LoggerProvider(_resource(), shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(memory))
    logger = provider.get_logger(SCOPE_NAME, __version__)
    for event in events:
        logger.emit(
            timestamp=_nanoseconds(event.at),
            context=_context(event),
            event_name=GEN_AI_EVALUATION_EVENT,
            attributes=event.attributes,
        )
    records = memory.get_finished_logs()
    if len(records) != len(events):
        raise InputError(
            f"the SDK of OpenTelemetry made {counted(len(records), 'log record')} of {counted(len(events), 'event')}; "
            "all were wanted; "
            "unset OTEL_SDK_DISABLED"
        )
    return records


def _resource() -> Resource:
    """Return the resource that the environment describes, with our name where it gives none."""
    found = Resource.create()
    named = str(found.attributes.get(SERVICE_NAME, _UNNAMED))
    return found.merge(Resource({SERVICE_NAME: _SERVICE})) if named.startswith(_UNNAMED) else found


def _context(event: "Event") -> "Context":
    context = SpanContext(
        event.trace_id.int, event.span_id or 0, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED)
    )
    return set_span_in_context(NonRecordingSpan(context))


def _nanoseconds(at: datetime) -> int:
    since = at.replace(tzinfo=UTC) - _EPOCH
    return (since.days * 86_400 + since.seconds) * 10**9 + since.microseconds * 1000
