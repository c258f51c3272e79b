"""Spans of the application itself: no stage, but they may name the case, the run, the session or the prompt."""

from otel_ragfault.conventions.parsing import identity, stage
from otel_ragfault.conventions.record import StageRecord
from otel_ragfault.conventions.span import SpanView


def claims(view: SpanView) -> bool:
    """Tell whether the span names anything of the request."""
    return bool(identity(view.attributes))


def read(view: SpanView) -> StageRecord | None:
    """Read what the span says of the request as a whole."""
    return stage(None, **identity(view.attributes))
