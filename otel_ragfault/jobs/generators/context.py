"""The context of the trace, carried into what the user wrote: their spans belong to the run that they were asked in."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_PROPAGATOR = TraceContextTextMapPropagator()


def carried_context() -> dict[str, str]:
    """Return the present context as headers; empty where nothing is traced."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier


def context_of(carrier: Mapping[str, str]) -> Context:
    """Return the context that headers carry."""
    return _PROPAGATOR.extract(carrier)


@contextmanager
def unsampled() -> Iterator[None]:
    """Run a block in a trace that is not sampled: by the default sampler, whoever carries it on records nothing."""
    ids = RandomIdGenerator()
    parent = SpanContext(ids.generate_trace_id(), ids.generate_span_id(), is_remote=False, trace_flags=TraceFlags())
    with use_span(NonRecordingSpan(parent)):
        yield
