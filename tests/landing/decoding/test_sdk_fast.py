import pytest
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
)

from otel_ragfault.landing.decoding.build import make_row
from otel_ragfault.landing.decoding.sdk import _origin, _parts
from otel_ragfault.landing.decoding.sdk_fast import fast_row


def start(tracer, name="s", **options):
    tracer.start_span(name, **options).end()


def nested(tracer):
    with tracer.start_as_current_span("outer"), tracer.start_as_current_span("inner", kind=SpanKind.CLIENT):
        pass


def under(remote):
    def use(tracer):
        parent = SpanContext(5, 6, is_remote=remote, trace_flags=TraceFlags(1))
        start(tracer, context=trace.set_span_in_context(NonRecordingSpan(parent)))

    return use


def failed(message):
    def use(tracer):
        span = tracer.start_span("s")
        span.set_status(Status(StatusCode.ERROR, message))
        span.end()

    return use


def with_event(tracer):
    span = tracer.start_span("s")
    span.add_event("e", {"a": 1})
    span.end()


ATTRIBUTES = {
    "gen_ai.operation.name": "chat",
    "ragfault.stage": "generation",
    "text": "caf\u00e9 \u2603",
    "numbers": [1, 2, 3],
    "pi": 3.0,
    "yes": True,
    "json": '[{"id": "c1", "score": 0.5}]',
}
FAST = [
    pytest.param(start, id="bare"),
    pytest.param(lambda t: start(t, attributes=ATTRIBUTES), id="attributes"),
    pytest.param(nested, id="parent"),
    pytest.param(under(remote=False), id="local parent"),
    pytest.param(failed(None), id="error"),
    pytest.param(failed("no"), id="error with message"),
    pytest.param(lambda t: start(t, name="", start_time=1), id="no name"),
]
GENERAL = [
    pytest.param(with_event, id="event"),
    pytest.param(lambda t: start(t, links=[Link(SpanContext(1, 2, is_remote=True))]), id="link"),
    pytest.param(under(remote=True), id="remote parent"),
    pytest.param(lambda t: start(t, name="caf\u00e9"), id="name"),
    pytest.param(lambda t: start(t, name="\ud800"), id="surrogate in the name"),
    pytest.param(failed("\udc00"), id="surrogate in the message"),
    pytest.param(lambda t: start(t, attributes={"x": "\ud800"}), id="surrogate in an attribute"),
    pytest.param(lambda t: start(t, attributes={"x": float("nan")}), id="NaN"),
    pytest.param(lambda t: start(t, attributes={"x": 2**70}), id="integer beyond 64 bits"),
    pytest.param(lambda t: start(t, attributes={"x": b"bytes"}), id="bytes"),
    pytest.param(lambda t: start(t, attributes={"$bytes": "x"}), id="marker"),
    pytest.param(lambda t: start(t, attributes={"ragfault.stage": 5}), id="stage that is no text"),
    pytest.param(lambda t: start(t, attributes={"ragfault.stage": "\u00e9"}), id="stage beyond ASCII"),
    pytest.param(lambda t: start(t, start_time=0), id="no start"),
    pytest.param(lambda t: start(t, start_time=2**63), id="impossible start"),
]


def general(span):
    return make_row(_parts(span), _origin(span.resource, span.instrumentation_scope))


@pytest.mark.parametrize("use", FAST)
def test_common_span_gives_the_row_of_the_general_way(record, use):
    for span in record(use):
        expected = general(span)  # first, because names that are new go the general way once
        row = fast_row(span, _origin(span.resource, span.instrumentation_scope))
        assert row == expected
        assert list(map(type, row)) == list(map(type, expected))


@pytest.mark.parametrize("use", GENERAL)
def test_uncommon_span_is_left_to_the_general_way(record, use):
    [span] = record(use)
    assert fast_row(span, _origin(span.resource, span.instrumentation_scope)) is None
    general(span)


def test_trace_state_and_odd_resources_are_left_to_the_general_way(record):
    def use(tracer):
        parent = SpanContext(5, 6, is_remote=False, trace_flags=TraceFlags(1), trace_state=TraceState([("a", "b")]))
        start(tracer, context=trace.set_span_in_context(NonRecordingSpan(parent)))

    [span] = record(use)
    assert fast_row(span, _origin(span.resource, span.instrumentation_scope)) is None
    [span] = record(start, Resource({"service.name": "\ud800"}))
    assert fast_row(span, _origin(span.resource, span.instrumentation_scope)) is None


@pytest.mark.parametrize("span", [None, 5, object()])
def test_what_is_no_span_is_left_to_the_general_way(span):
    assert fast_row(span, None) is None
