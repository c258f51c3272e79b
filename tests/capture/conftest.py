import json

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from otel_ragfault.capture import RagfaultSpanProcessor, capture_failures, set_capture
from otel_ragfault.capture._failures import forget_failures


class Recorded:
    """The real SDK with an exporter that remembers, and short ways to ask it."""

    def __init__(self):
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(RagfaultSpanProcessor())
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer = self.provider.get_tracer("another instrumentation")

    def capture(self, *, content=False, redact=None):
        set_capture(content=content, redact=redact, tracer_provider=self.provider)

    @property
    def all(self):
        return self.exporter.get_finished_spans()

    def only(self):
        (span,) = self.all
        return span

    def named(self, name):
        (span,) = [span for span in self.all if span.name == name]
        return span

    def attribute(self, name):
        return self.only().attributes.get(name)

    def json(self, name):
        value = self.attribute(name)
        return None if value is None else strict(value)


def strict(text):
    assert type(text) is str

    def refuse(constant):
        raise AssertionError(f"{constant} is not strict JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def recorded():
    forget_failures()
    one = Recorded()
    one.capture()
    yield one
    one.provider.shutdown()
    set_capture(content=False)
    forget_failures()


@pytest.fixture
def no_failures(recorded):
    yield
    assert dict(capture_failures()) == {}
