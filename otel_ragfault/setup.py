"""Set up tracing in one call, for pipelines that have none.

People with a tracer provider of their own do not need this: they add :class:`RagfaultSpanProcessor` and an exporter to
it, and call :func:`set_capture`.
"""

from collections.abc import Callable
from pathlib import Path

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExporter

from otel_ragfault.capture import RagfaultSpanProcessor, set_capture
from otel_ragfault.semconv import SERVICE_NAME

_MANY = 10_000
"""Attributes and events a span may have here: the default of 128 evicts the oldest without asking."""


def configure(
    *,
    db: str | Path | None = None,
    exporter: SpanExporter | None = None,
    provider: TracerProvider | None = None,
    service_name: str | None = None,
    content: bool | None = None,
    redact: Callable[[str], str | None] | None = None,
    batch: bool = True,
) -> TracerProvider:
    """Send the spans of this process to a database, to an exporter, or to an OTLP endpoint.

    Without ``provider``, the SDK tracer provider that is already installed is used and keeps its own processors; where
    there is none, one is installed as the global provider.

    Args:
        db: path of a DuckDB file that the spans land in.
        exporter: any exporter, beside or instead of ``db``. Without both, spans go out over OTLP/HTTP as the standard
            ``OTEL_EXPORTER_OTLP_*`` variables say.
        provider: the provider to use instead of the global one.
        service_name: ``service.name`` of a provider that is installed here; the standard variables win.
        content: whether questions, prompts and answers are recorded. The default follows
            ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT``, which is off unless set.
        redact: sees every text before it is recorded and returns what may be written.
        batch: export in the background (the default), or at the end of each span, for scripts and tests.

    Returns:
        The provider. Call its ``shutdown()`` before the process ends, if it does not end normally.
    """
    exporters = [] if exporter is None else [exporter]
    if db is not None:
        exporters.append(_database_exporter(db))
    used = provider or _global_provider(service_name)
    processor = BatchSpanProcessor if batch else SimpleSpanProcessor
    used.add_span_processor(RagfaultSpanProcessor())
    for each in exporters or [_otlp_exporter()]:
        used.add_span_processor(processor(each))
    set_capture(content=content, redact=redact, tracer_provider=provider)
    return used


def _global_provider(service_name: str | None) -> TracerProvider:
    provider = trace.get_tracer_provider()
    return provider if isinstance(provider, TracerProvider) else _install(service_name)


def _install(service_name: str | None) -> TracerProvider:
    resource = Resource.create()
    if service_name is not None and str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
        resource = resource.merge(Resource({SERVICE_NAME: service_name}))
    limits = SpanLimits(max_span_attributes=_MANY, max_events=_MANY)
    provider = TracerProvider(resource=resource, span_limits=limits)
    trace.set_tracer_provider(provider)
    return provider


def _database_exporter(path: str | Path) -> SpanExporter:
    from otel_ragfault.landing import DuckDBSpanExporter

    return DuckDBSpanExporter(path)


def _otlp_exporter() -> SpanExporter:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()
