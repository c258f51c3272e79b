"""Send labels and verdicts back to the user's own backend, as evaluation events over OTLP."""

from otel_ragfault.jobs.emitting.destination import Destination, destination
from otel_ragfault.jobs.emitting.run import Emitted, Scope, emit, waiting_events

__all__ = ["Destination", "Emitted", "Scope", "destination", "emit", "waiting_events"]
