"""The span processor that makes every span of a request say which case, run, snapshot and prompt it belongs to."""

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Span, SpanProcessor

from otel_ragfault.capture._context import handed_down
from otel_ragfault.capture._failures import Guard

_PROCESSOR = Guard("processor")


class RagfaultSpanProcessor(SpanProcessor):
    """Copies the request's attributes (:data:`otel_ragfault.semconv.PROPAGATED`) onto each span when it starts.

    Spans of other instrumentations get them as well. They come from the enclosing ``request`` of this process, else
    from W3C baggage of the caller. What a span says about itself stays. Add it before the exporting processors.
    """

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Copies the attributes onto a starting span."""
        with _PROCESSOR:
            attributes = handed_down(parent_context)
            if attributes:
                own = span.attributes or {}
                for name, value in attributes.items():
                    if name not in own:
                        span.set_attribute(name, value)
