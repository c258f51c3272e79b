"""Hold the spans of a test, whoever makes them: our decorators, the global tracer provider, or the pipeline's own.

A provider gets one processor of ours, once; it keeps spans only while a test asks for them.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from weakref import WeakSet

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanLimits, SpanProcessor, TracerProvider

from otel_ragfault.capture import RagfaultSpanProcessor, current_options
from otel_ragfault.capture import capturing as made_by
from otel_ragfault.errors import InputError
from otel_ragfault.semconv import CAPTURE_CONTENT_ENV

_MANY: Final = 10_000  # attributes of a span: the default of 128 evicts the oldest without asking
_handing_down: Final = RagfaultSpanProcessor()


class Captured:
    """The spans that ended while they were captured, in the order of their ends."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []
        self.providers: tuple[TracerProvider, ...] = ()

    def __iter__(self) -> Iterator[ReadableSpan]:
        return iter(tuple(self.spans))

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, place: int) -> ReadableSpan:
        return self.spans[place]

    def named(self, name: str) -> list[ReadableSpan]:
        """Return the spans with a name."""
        return [span for span in self.spans if span.name == name]


class _Processor(SpanProcessor):
    """Hands case and run down to spans that start, and spans that ended to who captures them."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        if _capturing:
            _handing_down.on_start(span, parent_context)

    def on_end(self, span: ReadableSpan) -> None:
        for captured in _capturing:
            captured.spans.append(span)


_capturing: list[Captured] = []
_watched: "WeakSet[TracerProvider]" = WeakSet()


@contextmanager
def capturing(own: Iterable[Any] = ()) -> Iterator[Captured]:
    """Capture spans, with their content, until the block ends.

    Args:
        own: tracer providers of the pipeline that are not the global one.

    Raises:
        InputError: one of them is no tracer provider of the SDK.
    """
    captured = Captured()
    captured.providers = _providers(own)
    options = current_options()
    wanted = options.tracer_provider or captured.providers[0]
    switched = CAPTURE_CONTENT_ENV not in os.environ
    if switched:
        os.environ[CAPTURE_CONTENT_ENV] = "SPAN_ONLY"  # for the instrumentations of others, which read it when they run
    _capturing.append(captured)
    try:
        with made_by(wanted, content=True, redact=options.redact):
            yield captured
    finally:
        _capturing.remove(captured)
        if switched:
            os.environ.pop(CAPTURE_CONTENT_ENV, None)


def _providers(own: Iterable[Any]) -> tuple[TracerProvider, ...]:
    """Return the providers that may make spans of the pipeline, each watched; one is installed where there is none."""
    given = [_checked(provider) for provider in own]
    known = (current_options().tracer_provider, trace.get_tracer_provider())
    given.extend(provider for provider in known if isinstance(provider, TracerProvider))
    if not given:
        given.append(_install())
    for provider in given:
        if provider not in _watched:
            provider.add_span_processor(_Processor())
            _watched.add(provider)
    return tuple(dict.fromkeys(given))


def _checked(provider: Any) -> TracerProvider:
    if isinstance(provider, TracerProvider):
        return provider
    raise InputError(
        f"found a {type(provider).__name__}; a TracerProvider of the OpenTelemetry SDK was wanted; "
        "give the one that makes the spans of the pipeline"
    )


def _install() -> TracerProvider:
    provider = TracerProvider(span_limits=SpanLimits(max_span_attributes=_MANY, max_events=_MANY))
    trace.set_tracer_provider(provider)
    return provider
