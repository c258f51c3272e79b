"""Where capture meets the context of the running code: attaching spans to it, and what a request hands down."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from opentelemetry import baggage
from opentelemetry.context import Context, attach, create_key, detach, get_current, set_value
from opentelemetry.trace import INVALID_SPAN, Span, set_span_in_context

from otel_ragfault import semconv

P = ParamSpec("P")
R = TypeVar("R")

STAGE_KEY = create_key("otel_ragfault-stage")
_BAGGAGE_KEY = next(iter(baggage.set_baggage("any", "value", Context())))
_SPAN_KEY = next(iter(set_span_in_context(INVALID_SPAN, Context())))
_REQUEST_KEY = create_key("otel_ragfault-request")


def with_stage(context: Context, span: Span, stage: object) -> Context:
    """Returns a context in which a span and its handle are current: one copy instead of two."""
    copy = Context(context)
    dict.__setitem__(copy, _SPAN_KEY, span)  # a context refuses changes, but this one is not shared yet
    dict.__setitem__(copy, STAGE_KEY, stage)
    return copy


def _variable() -> ContextVar[Context] | None:
    """Returns the variable in which OpenTelemetry keeps its context; ``None`` if it was told to keep it elsewhere.

    The API attaches and detaches through three calls each; at two of each a span, going to the variable is worth it.
    """
    mark: Any = attach(Context())
    detach(mark)
    return mark.var if type(mark) is Token else None


_VARIABLE = _variable()

enter: Callable[[Context], Any] = attach if _VARIABLE is None else _VARIABLE.set
"""Makes a context current; :func:`leave` undoes it."""

current: Callable[[], Context] = get_current if _VARIABLE is None else _VARIABLE.get
"""Returns the current context."""


def leave(mark: Any) -> None:
    """Restores what was current, silently so where the context of the mark is gone.

    An abandoned generator or coroutine may be closed by the garbage collector, in whatever context that happens to
    run in: there is nothing to restore there, and nothing to complain about.
    """
    if _VARIABLE is None:
        detach(mark)
        return
    try:
        _VARIABLE.reset(mark)
    except (ValueError, RuntimeError):
        return


def in_current_context(function: Callable[P, R]) -> Callable[P, R]:
    """Binds a function to the trace context of this moment, for threads and executors, which start without one.

    ``pool.submit(in_current_context(search), query)``, or ``pool.map(in_current_context(search), queries)``: spans of
    the work become children of the span that is current now. The function may run many times at once.
    """
    context = current()

    @wraps(function)
    def bound(*args: P.args, **kwargs: P.kwargs) -> R:
        mark = enter(context)
        try:
            return function(*args, **kwargs)
        finally:
            leave(mark)

    return bound


def current_request_attributes() -> dict[str, str]:
    """Returns what the enclosing request hands down to its spans: case, run, snapshot and prompt, where known."""
    return dict(handed_down(None))


def handed_down(context: Context | None) -> Mapping[str, str]:
    """Returns the attributes of the enclosing request, else those that W3C baggage brought from another process."""
    context = current() if context is None else context
    known = context.get(_REQUEST_KEY)
    if isinstance(known, dict):
        return known
    if _BAGGAGE_KEY not in context:
        return {}
    carried: Mapping[str, Any] = baggage.get_all(context)
    return {name: value for name in semconv.PROPAGATED if isinstance(value := carried.get(name), str)}


def hand_down(attributes: dict[str, str], context: Context, *, across_processes: bool) -> Context:
    """Returns a context whose spans receive these attributes; in baggage, too, if they are to leave the process."""
    context = set_value(_REQUEST_KEY, attributes, context)
    if across_processes:
        for name, value in attributes.items():
            context = baggage.set_baggage(name, value, context)
    return context
