"""The SDK's own exporters into `ragfault collect`: the rows are those that an import of the same bodies gives."""

import itertools

import grpc
import pytest
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GrpcExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HttpExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from otel_ragfault.landing import SpoolSink, import_files
from otel_ragfault.store import connect
from paths import RECORDINGS
from receiving.served import JSON, post

ALL = "SELECT * EXCLUDE (segment_id) FROM span ORDER BY trace_id, span_id"


@pytest.fixture(scope="module")
def finished():
    """Spans as an instrumented application makes them."""
    memory = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({"service.name": "shop", "n": 7}))
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer = provider.get_tracer("tests", "1.0")
    for number in range(40):
        with tracer.start_as_current_span(f"ask {number}", kind=SpanKind.SERVER) as root:
            root.set_attributes({"gen_ai.operation.name": "chat", "ints": [1, 2], "half": 0.5, "yes": True, "ü": "ß"})
            with tracer.start_as_current_span("retrieve") as inner:
                inner.add_event("found", {"count": number})
                inner.add_link(root.get_span_context(), {"why": "because"})
                inner.set_status(StatusCode.ERROR, "no luck")
    provider.shutdown()
    return memory.get_finished_spans()


def http(port, **options):
    return HttpExporter(f"http://127.0.0.1:{port}/v1/traces", **options)


def over_http(command):
    return http(command.http)


def over_http_gzip(command):
    return http(command.http, compression=Compression.Gzip)


def over_grpc(command):
    return GrpcExporter(f"http://127.0.0.1:{command.grpc}", insecure=True)


def over_grpc_gzip(command):
    return GrpcExporter(f"http://127.0.0.1:{command.grpc}", insecure=True, compression=grpc.Compression.Gzip)


def imported(path, bodies):
    """Rows that an import of the bodies gives."""
    files = []
    for number, body in enumerate(bodies):
        files.append(path / f"{number}.pb")
        files[-1].write_bytes(body)
    db = path / "imported.duckdb"
    import_files(files, SpoolSink(db))
    return rows(db)


def rows(db):
    with connect(db, read_only=True) as con:
        return con.execute(ALL).fetchall()


def chunks(spans, size=16):
    return [spans[start : start + size] for start in range(0, len(spans), size)]


@pytest.mark.parametrize("make", [over_http, over_http_gzip, over_grpc, over_grpc_gzip])
def test_every_span_arrives_as_an_import_would_have_it(collect, finished, tmp_path, make):
    command = collect()
    exporter: SpanExporter = make(command)
    batches = chunks(finished)
    assert [exporter.export(batch) for batch in batches] == [SpanExportResult.SUCCESS] * len(batches)
    exporter.shutdown()
    assert command.stop() == 0
    bodies = [encode_spans(batch).SerializeToString() for batch in batches]
    found = rows(command.db)
    assert len(found) == len(finished)
    assert found == imported(tmp_path, bodies)


def test_recorded_bodies_of_many_instrumentations(collect, tmp_path):
    command = collect()
    bodies = [path.read_bytes() for path in sorted(RECORDINGS.glob("*.pb"))]
    assert {command.post(body=body).status for body in bodies} == {200}
    assert command.stop() == 0
    assert rows(command.db) == imported(tmp_path, bodies)


def test_json_lines_of_the_same(collect, tmp_path):
    command = collect()
    files = [path for path in sorted(RECORDINGS.glob("*.jsonl")) if ".logs." not in path.name]
    lines = list(itertools.chain.from_iterable(path.read_bytes().splitlines() for path in files))
    assert {post(command.http, body=line, content_type=JSON).status for line in lines} == {200}
    assert command.stop() == 0
    import_files(files, SpoolSink(tmp_path / "imported.duckdb"))
    assert rows(command.db) == rows(tmp_path / "imported.duckdb")


def test_log_records_in_both_forms(collect):
    command = collect()
    lines = (RECORDINGS / "otel-openai-v2.logs.jsonl").read_bytes().splitlines()
    assert {command.post("/v1/logs", line, JSON).status for line in lines} == {200}
    assert command.stop() == 0
    with connect(command.db, read_only=True) as con:
        assert con.execute("SELECT count(*) > 0 FROM log_record").fetchone() == (True,)


def test_a_retried_request_is_stored_once(collect, finished):
    command = collect()
    body = encode_spans(finished).SerializeToString()
    for _ in range(3):
        assert command.post(body=body).status == 200
    assert command.stop() == 0
    assert len(rows(command.db)) == len(finished)
