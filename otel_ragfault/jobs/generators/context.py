"""The context of the trace, carried into what the user wrote: their spans belong to the run that they were asked in."""

from collections.abc import Mapping

from opentelemetry.context import Context
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
