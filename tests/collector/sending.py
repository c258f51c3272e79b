"""Applications that send spans: a pipeline with the decorators of this project, and requests written by hand."""

import json
from contextlib import contextmanager

from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

import otel_ragfault as rag
from collector import running
from otel_ragfault import semconv

RANKING = [(f"c{number:02d}", 1 / (number + 1)) for number in range(60)]
MESSAGES, VERDICT = "gen_ai.client.inference.operation.details", semconv.GEN_AI_EVALUATION_EVENT
LOGGED_AT = 1_790_000_000_000_000_000
QUESTION, TEXT, ANSWER = "May I fly business class?", 'Only "long" flights, see \\ below.', "From 8 hours on."


@rag.retrieval(k="k", score_kind="similarity", complete=True, texts=True)
def search(question, k=5):
    return [{"id": chunk, "score": score, "content": f"{TEXT} {chunk}"} for chunk, score in RANKING]


@rag.assembly(k="k")
def assemble(ranked, k=5):
    return {"chunks": [one["id"] for one in ranked[:k]], "dropped": []}


@rag.generation(model="stub", prompt="prompt")
def generate(prompt, said, *, broken):
    if broken:
        raise RuntimeError("no model")
    return {"answer": ANSWER, "citations": ["c00"], **said}


@rag.request(case_id=lambda call: call["case_id"])
def ask(question, case_id=None, said=None, *, broken=False):
    """Four spans, in one trace."""
    assemble(search(question))
    return generate(f"{TEXT} {question}", said or {}, broken=broken)


class Ended(SpanProcessor):
    """The ids of the spans that ended."""

    def __init__(self):
        self.ids = []

    def on_end(self, span):
        context = span.get_span_context()
        self.ids.append((format(context.trace_id, "032x"), format(context.span_id, "016x")))


@contextmanager
def application(collector):
    """An application that exports to a Collector; yields the ids of its spans. On leaving, all are exported."""
    provider, ended = TracerProvider(), Ended()
    provider.add_span_processor(ended)
    exporter = OTLPSpanExporter(endpoint=f"{collector.endpoint}/v1/traces")
    rag.configure(provider=provider, exporter=exporter, content=True)
    try:
        yield ended.ids
    finally:
        provider.shutdown()
        rag.set_capture(content=False)


@contextmanager
def logger(collector):
    """A logger of an application that exports log records to a Collector. On leaving, all are exported."""
    provider = LoggerProvider()
    exporter = OTLPLogExporter(endpoint=f"{collector.endpoint}/v1/logs")
    provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
    try:
        yield provider.get_logger("tests")
    finally:
        provider.shutdown()


def tell_messages(logger, number):
    """Emit the event with the messages of a model call, as instrumentations do that keep them out of spans."""
    said = {
        semconv.GEN_AI_INPUT_MESSAGES: [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}],
        semconv.GEN_AI_OUTPUT_MESSAGES: [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}],
        semconv.GEN_AI_RESPONSE_ID: f"response-{number}",
    }
    logger.emit(event_name=MESSAGES, timestamp=LOGGED_AT + number, attributes=said)


def tell_verdict(logger, number):
    """Emit the event with the result of an evaluation."""
    said = {
        semconv.GEN_AI_EVALUATION_NAME: "Correctness",
        semconv.GEN_AI_EVALUATION_SCORE_VALUE: 0.25,
        semconv.GEN_AI_EVALUATION_EXPLANATION: f"not what was said: {ANSWER}",
        semconv.GEN_AI_RESPONSE_ID: f"response-{number}",
    }
    logger.emit(event_name=VERDICT, timestamp=LOGGED_AT + number, attributes=said)


def span(number, attributes, **fields):
    """A span as OTLP/JSON."""
    said = [
        {"key": key, "value": value if isinstance(value, dict) else {"stringValue": value}}
        for key, value in attributes.items()
    ]
    ids = {"traceId": f"{number + 1:032x}", "spanId": f"{number + 1:016x}"}
    times = {"startTimeUnixNano": "1790000000000000000", "endTimeUnixNano": "1790000000500000000"}
    return {**ids, **times, "name": f"span {number}", "kind": 1, "attributes": said, **fields}


def ids_of(spans):
    return [(one["traceId"], one["spanId"]) for one in spans]


def post(collector, *spans, headers=None):
    """Send spans as one OTLP/JSON request; return the status."""
    scopes = [{"scope": {"name": "hand"}, "spans": list(spans)}]
    return _post(collector, "/v1/traces", {"resourceSpans": [{"resource": {}, "scopeSpans": scopes}]}, headers)


def post_logs(collector, *records):
    """Send log records as one OTLP/JSON request; return the status."""
    scopes = [{"scope": {"name": "hand"}, "logRecords": list(records)}]
    return _post(collector, "/v1/logs", {"resourceLogs": [{"resource": {}, "scopeLogs": scopes}]}, None)


def _post(collector, path, body, headers):
    headers = {"Content-Type": "application/json", **(headers or {})}
    return running.ask(collector.http, "POST", path, json.dumps(body).encode(), headers)
