"""For a while another provider makes the spans of this process; then everything is as it was."""

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from otel_ragfault.capture import capturing, request, set_capture
from otel_ragfault.semconv import GEN_AI_INPUT_MESSAGES


def provider():
    exporter = InMemorySpanExporter()
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(exporter))
    return made, exporter


@pytest.fixture
def usual():
    made, exporter = provider()
    set_capture(content=False, tracer_provider=made)
    yield exporter
    set_capture()


def ask(text):
    with request(query=text):
        pass


def test_spans_go_to_the_other_provider_only_meanwhile(usual):
    other, exporter = provider()
    ask("before")
    with capturing(other, content=True):
        ask("meanwhile")
    ask("after")
    assert len(usual.get_finished_spans()) == 2
    assert not any(GEN_AI_INPUT_MESSAGES in span.attributes for span in usual.get_finished_spans())
    (span,) = exporter.get_finished_spans()
    assert "meanwhile" in span.attributes[GEN_AI_INPUT_MESSAGES]


def test_an_error_ends_it_as_well(usual):
    other, exporter = provider()
    with pytest.raises(KeyError), capturing(other, content=True):
        raise KeyError("x")
    ask("after")
    assert len(usual.get_finished_spans()) == 1
    assert exporter.get_finished_spans() == ()
