"""Writing down an exception of the user's, whatever it does when it is looked at."""

import traceback

from opentelemetry.semconv.attributes import exception_attributes as names
from opentelemetry.trace import Span, Status, StatusCode

from otel_ragfault import semconv
from otel_ragfault.capture._failures import Guard
from otel_ragfault.capture._text import View, clean

_ERROR = Guard("error")


def record_error(span: Span, error: BaseException, view: View) -> None:
    """Sets the status, ``error.type`` and an ``exception`` event; message and stack trace pass the redaction."""
    kind = _kind(error)
    with _ERROR:
        span.set_attribute(semconv.ERROR_TYPE, kind)
    message = _message(error, view)
    with _ERROR:
        span.set_status(Status(StatusCode.ERROR, kind if message is None else f"{kind}: {message}"))
    with _ERROR:
        event = {names.EXCEPTION_TYPE: kind, names.EXCEPTION_ESCAPED: "True"}
        trace = view.redacted("".join(traceback.format_exception(error)))
        span.add_event(
            "exception",
            event
            | ({} if message is None else {names.EXCEPTION_MESSAGE: message})
            | ({} if trace is None else {names.EXCEPTION_STACKTRACE: trace}),
        )


def _kind(error: BaseException) -> str:
    kind = type(error)
    with _ERROR:
        module: object = kind.__module__
        outside = isinstance(module, str) and module != "builtins"
        return clean(f"{module}.{kind.__qualname__}" if outside else kind.__qualname__)
    return "unknown"


def _message(error: BaseException, view: View) -> str | None:
    with _ERROR:
        return view.redacted(str(error))
    return None
