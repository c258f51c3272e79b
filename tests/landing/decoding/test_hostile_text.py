"""Text goes from a span to a SELECT unharmed, whatever is in it, through the exporter and through the importer."""

import tempfile
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otel_ragfault.landing import DuckDBSpanExporter, SpoolSink, import_files
from otel_ragfault.store import connect

HOSTILE = [
    pytest.param('O\'Neil said "no"', id="quotes"),
    pytest.param("'); DROP TABLE span; --", id="SQL"),
    pytest.param("$1 ? :name %s {}", id="placeholders"),
    pytest.param("a\r\nb\tc\u2028d", id="line ends"),
    pytest.param("a\0b\0", id="NUL"),
    pytest.param("😀👩‍👩‍👧 e\u0301", id="emoji"),
    pytest.param("\u202eשלום\u202c مرحبا", id="right to left"),
    pytest.param("\\u0000 \\ud800 \\\\", id="escapes"),
    pytest.param("\ufeff\ufffe\x7f\x85", id="odd points"),
    pytest.param("é日😀\n'" * 150_000, id="a megabyte"),
    pytest.param('{"$bytes": "x"}', id="marker as text"),
    pytest.param(" ", id="blank"),
]


def read_back(db):
    con = connect(db, read_only=True)
    try:
        return con.execute(
            "SELECT name, service, status_message, attributes ->> '$.k', attributes, repairs FROM span"
        ).fetchall()
    finally:
        con.close()


def assert_unharmed(db, text):
    [(name, service, message, extracted, attributes, repairs)] = read_back(db)
    assert (name, service, message, extracted) == (text, text or None, text or None, text)
    assert orjson.loads(attributes) == {"k": text, "list": [text], f"key {text}": text}
    assert repairs is None


def through_exporter(db, record, text):
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.trace import Status, StatusCode

    def use(tracer):
        span = tracer.start_span(text, attributes={"k": text, "list": [text], f"key {text}": text})
        span.set_status(Status(StatusCode.ERROR, text))
        span.end()

    exporter = DuckDBSpanExporter(db)
    exporter.export(record(use, Resource({"service.name": text})))
    exporter.shutdown()
    assert exporter.stats.exported == 1


def through_importer(db, text, request_of, span_of):
    value = {"stringValue": text}
    attributes = [
        {"key": "k", "value": value},
        {"key": "list", "value": {"arrayValue": {"values": [value]}}},
        {"key": f"key {text}", "value": value},
    ]
    span = span_of(name=text, status={"code": 2, "message": text}, attributes=attributes)
    request = request_of(span, resource={"attributes": [{"key": "service.name", "value": value}]})
    file = Path(db).with_suffix(".jsonl")
    file.write_bytes(orjson.dumps(request) + b"\n")
    assert import_files([file], SpoolSink(db)).spans == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_through_the_exporter(db, record, text):
    through_exporter(db, record, text)
    assert_unharmed(db, text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_through_the_importer(db, request_of, span_of, text):
    through_importer(db, text, request_of, span_of)
    assert_unharmed(db, text)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1))
def test_any_text_through_the_exporter(record, text):
    with tempfile.TemporaryDirectory() as folder:
        through_exporter(Path(folder) / "db.duckdb", record, text)
        assert_unharmed(Path(folder) / "db.duckdb", text)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(min_size=1))
def test_any_text_through_the_importer(request_of, span_of, text):
    with tempfile.TemporaryDirectory() as folder:
        through_importer(Path(folder) / "db.duckdb", text, request_of, span_of)
        assert_unharmed(Path(folder) / "db.duckdb", text)


def test_lone_surrogate_through_the_exporter_is_repaired_and_noted(db, record):
    def use(tracer):
        tracer.start_span("n\ud800", attributes={"fine": "x"}).end()

    spans = record(use)
    spans[0]._attributes._dict["k"] = "v\udc00"  # the SDK may clean it one day
    exporter = DuckDBSpanExporter(db)
    exporter.export(spans)
    exporter.shutdown()
    [(name, _, _, extracted, _, repairs)] = read_back(db)
    assert (name, extracted) == ("n\ufffd", "v\ufffd")
    assert orjson.loads(repairs) == {"name": "n\\ud800", "attributes.k": "v\\udc00"}


@pytest.mark.parametrize("raw", [b'"v\\udc00"', b'"v\xff"'], ids=["escaped", "not UTF-8"])
def test_broken_text_in_a_file_is_repaired_and_noted(db, request_of, span_of, tmp_path, raw):
    span = span_of(attributes=[{"key": "k", "value": {"stringValue": "HERE"}}])
    file = tmp_path / "f.jsonl"
    file.write_bytes(orjson.dumps(request_of(span)).replace(b'"HERE"', raw))
    assert import_files([file], SpoolSink(db)).complete
    [(*_, attributes, repairs)] = read_back(db)
    assert orjson.loads(attributes) == {"k": "v\ufffd"}
    assert list(orjson.loads(repairs)) == ["attributes.k"]
