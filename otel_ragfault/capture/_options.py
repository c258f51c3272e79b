"""Process-wide options of capture: whether content is recorded, what redacts it, who makes the spans."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opentelemetry import trace
from opentelemetry.trace import Tracer, TracerProvider

from otel_ragfault import semconv

Redact = Callable[[str], str | None]

_CONTENT_MODES = frozenset({"span_only", "span_and_event", "true"})  # "true" is the spelling of older packages


@dataclass(frozen=True, slots=True)
class Options:
    """What :func:`set_capture` set."""

    content: bool
    redact: Redact | None
    tracer_provider: TracerProvider | None


_options: Options | None = None
_tracer: tuple[TracerProvider, Tracer] | None = None


def set_capture(
    *, content: bool | None = None, redact: Redact | None = None, tracer_provider: TracerProvider | None = None
) -> None:
    """Sets the options of all capture in this process; what is left out returns to its default.

    Args:
        content: Whether questions, prompts, answers and chunk texts are written to spans. The default follows
            ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT``, which is read now and, if this function is never
            called, at the first span.
        redact: Sees every text before it is written, exception messages included, and returns what may be written
            (``None``: nothing). If it raises, the text is not written.
        tracer_provider: Makes the spans, instead of the global tracer provider.
    """
    global _options, _tracer  # noqa: PLW0603  # the one place that replaces them
    wanted = content_from_environment() if content is None else content
    _options = Options(wanted, redact, tracer_provider)
    _tracer = None


@contextmanager
def capturing(tracer_provider: TracerProvider, *, content: bool, redact: Redact | None = None) -> Iterator[None]:
    """Makes a provider the one that makes spans, for a while; then everything is as it was."""
    global _options, _tracer
    before = _options
    set_capture(content=content, redact=redact, tracer_provider=tracer_provider)
    try:
        yield
    finally:
        _options, _tracer = before, None


def current_options() -> Options:
    """Returns the options in force."""
    if _options is None:
        set_capture()
    return _options or Options(content=False, redact=None, tracer_provider=None)


def content_from_environment() -> bool:
    """Tells whether the standard switch of the GenAI conventions asks for content on spans."""
    return os.environ.get(semconv.CAPTURE_CONTENT_ENV, "").strip().lower() in _CONTENT_MODES


def current_tracer(options: Options) -> Tracer:
    """Returns our tracer of the provider in force; follows a provider that is installed later."""
    global _tracer  # noqa: PLW0603  # a cache of one
    provider = options.tracer_provider or trace.get_tracer_provider()
    cached = _tracer
    if cached is not None and cached[0] is provider:
        return cached[1]
    from otel_ragfault import __version__  # here, because the package itself imports this module

    tracer = provider.get_tracer(semconv.SCOPE_NAME, __version__)
    _tracer = (provider, tracer)
    return tracer
