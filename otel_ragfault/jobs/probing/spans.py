"""One run of a probe inside the spans that a pipeline has: request, assembly, generation. They are what is stored.

The spans of a run go out together when its request span ends, so that a run is in the database whole or not at all.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final

import orjson
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.trace import Span, SpanContext, TraceFlags

from otel_ragfault import semconv
from otel_ragfault.capture import RagfaultSpanProcessor, assembly, capturing, generation, request
from otel_ragfault.counting import counted
from otel_ragfault.errors import DatabaseError
from otel_ragfault.jobs.generators import Call, Generated
from otel_ragfault.jobs.probing.plan import Probe
from otel_ragfault.landing import DuckDBSpanExporter

SERVICE: Final = "ragfault-probe"
"""``service.name`` of the spans of probes."""


@dataclass(frozen=True, slots=True)
class ProbeRun:
    """One call of the job: its id, the generator, the seed."""

    run_id: str
    generator: str
    generator_id: str
    seed: int

    def around(self, call: Call[Probe], generate: Callable[[], Generated]) -> Generated:
        """Run one probe inside its spans."""
        try:
            return self._traced(call, generate)
        except NoAnswerError as error:
            return error.made

    def _traced(self, call: Call[Probe], generate: Callable[[], Generated]) -> Generated:
        probe = call.key
        with request(
            name=semconv.PROBE_NAME, query=call.question, case_id=probe.subject.case_id, run_id=self.run_id
        ) as opened:
            opened.span.set_attributes(self._attributes(probe))
            _link(opened.span, probe)
            with assembly(name=semconv.PROBE_NAME) as assembled:
                assembled.span.set_attribute(semconv.RAGFAULT_PROBE_ID, probe.probe_id)
                assembled.record_chunks([chunk.id for chunk in call.chunks])
            with generation(name=semconv.PROBE_NAME) as generated:
                generated.span.set_attribute(semconv.RAGFAULT_PROBE_ID, probe.probe_id)
                made = generate()
                for stage in (generated, opened):
                    stage.record_answer(made.answer, citations=made.citations, decision=made.decision)
                if made.failure is not None:
                    opened.span.set_attribute(semconv.RAGFAULT_PROBE_FAILURE, made.failure.kind)
                    raise NoAnswerError(made.failure.message, made)
        return made

    def _attributes(self, probe: Probe) -> dict[str, str | int]:
        chunks = [{"id": chunk.id, "text": chunk.text} for chunk in probe.variant.chunks]
        found: dict[str, str | int | None] = {
            semconv.RAGFAULT_PROBE_ID: probe.probe_id,
            semconv.RAGFAULT_PROBE_RUN_ID: self.run_id,
            semconv.RAGFAULT_PROBE_REQUEST_ID: probe.subject.request_id,
            semconv.RAGFAULT_PROBE_INTERVENTION: probe.intervention,
            semconv.RAGFAULT_PROBE_STEP: probe.variant.step or None,
            semconv.RAGFAULT_PROBE_REPEAT: probe.repeat,
            semconv.RAGFAULT_PROBE_SEED: self.seed,
            semconv.RAGFAULT_PROBE_GENERATOR: self.generator,
            semconv.RAGFAULT_PROBE_GENERATOR_ID: self.generator_id,
            semconv.RAGFAULT_PROBE_CHUNKS: orjson.dumps(chunks).decode(),
            semconv.RAGFAULT_PROBE_CHANGED: probe.variant.changed,
            semconv.RAGFAULT_PROBE_PLANTED: probe.variant.planted,
            semconv.RAGFAULT_PROBE_REPLACED: probe.variant.replaced,
        }
        return {name: value for name, value in found.items() if value is not None}


class NoAnswerError(Exception):
    """The generator gave no answer: ends the spans in error, and takes what it made out of them."""

    def __init__(self, message: str, made: Generated) -> None:
        super().__init__(message)
        self.made = made


@contextmanager
def recording(db: Path) -> Iterator[None]:
    """Record the spans of probes in the spool of a database, with all content, whatever tracing this process has.

    Raises:
        DatabaseError: spans could not be kept.
    """
    exporter = DuckDBSpanExporter(db)
    limits = SpanLimits(
        max_attribute_length=SpanLimits.UNSET,
        max_span_attribute_length=SpanLimits.UNSET,
        max_span_attributes=SpanLimits.UNSET,
    )
    provider = TracerProvider(resource=Resource({semconv.SERVICE_NAME: SERVICE}), span_limits=limits)
    provider.add_span_processor(RagfaultSpanProcessor())
    provider.add_span_processor(_WholeTraces(exporter))
    try:
        with capturing(provider, content=True):
            yield
    finally:
        provider.shutdown()
    stats = exporter.stats
    if stats.dropped or stats.unusable:
        raise DatabaseError(
            f"{db}: {counted(stats.dropped + stats.unusable, 'span')} of probes could not be kept; room and a folder "
            "that can be written were wanted; see the log, make room, and run this again: it goes on where it was"
        )


class _WholeTraces(SpanProcessor):
    """Exports the spans of a trace at once when the last of it, the request span, has ended."""

    def __init__(self, exporter: DuckDBSpanExporter) -> None:
        self._exporter = exporter
        self._lock = Lock()
        self._waiting: dict[int, list[ReadableSpan]] = {}
        self._is_closed = False

    def on_end(self, span: ReadableSpan) -> None:
        """Keep a span, or export all that are kept of its trace."""
        if span.context is None:
            return
        with self._lock:
            spans = self._waiting.setdefault(span.context.trace_id, [])
            spans.append(span)
            if span.parent is not None:
                return
            del self._waiting[span.context.trace_id]
            if self._is_closed:  # a call that was stopped; it is made again
                return
        self._exporter.export(spans)

    def shutdown(self) -> None:
        """Load what was exported, where the database is free."""
        with self._lock:
            self._is_closed = True
        self._exporter.shutdown()


def _link(span: Span, probe: Probe) -> None:
    """Link the request span of a probe to that of the request whose prompt it changes."""
    if probe.subject.anchor_span_id:
        context = SpanContext(
            trace_id=int(probe.subject.trace_id, 16),
            span_id=probe.subject.anchor_span_id,
            is_remote=True,
            trace_flags=TraceFlags(TraceFlags.SAMPLED),
        )
        span.add_link(context)
