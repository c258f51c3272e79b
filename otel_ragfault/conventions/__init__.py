"""What each instrumentation writes, read into one form: a pure function a convention, in one ordered registry."""

from otel_ragfault.conventions.record import Hit, Kind, StageRecord
from otel_ragfault.conventions.span import SpanView

__all__ = ["Hit", "Kind", "SpanView", "StageRecord"]
