"""Spans of a shape, for tests of one."""

import orjson

from otel_ragfault.conventions.span import SpanView

OPENINFERENCE = "openinference.instrumentation."
OPENLLMETRY = "opentelemetry.instrumentation."


def span(scope="", attributes=None, name="span", **rest):
    """Return a view of a span."""
    return SpanView(scope_name=scope, scope_version="1", name=name, attributes=attributes or {}, **rest)


def text(value):
    """Return JSON text."""
    return orjson.dumps(value).decode()
