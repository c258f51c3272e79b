"""What cannot be stored is counted once, however often the file that holds it is read."""

import gzip

import orjson
import pytest

from otel_ragfault.landing import SpoolSink, import_files
from otel_ragfault.landing.importing import importer

ZEROS = "span id of zeros"


@pytest.fixture
def line(request_of, span_of):
    def make(number):
        bad = span_of(number + 1000, name=f"bad {number}", spanId="0" * 16)
        return orjson.dumps(request_of(span_of(number), bad)) + b"\n"

    return make


@pytest.fixture
def counted(query):
    """How many spans are counted in the table, in the ledger, and how many are stored."""

    def count():
        [found] = query(
            "SELECT (SELECT CAST(coalesce(sum(spans), 0) AS INT) FROM rejected_span WHERE reason = 'span id of zeros'),"
            " (SELECT CAST(sum(rejected) AS INT) FROM segment), (SELECT count(*) FROM span)"
        )
        return found

    return count


def as_text(content):
    return content


def as_document(content):
    return b"[" + b",\n".join(content.splitlines()) + b"]"


@pytest.mark.parametrize("form", [as_text, as_document, gzip.compress], ids=["lines", "a document", "gzip"])
def test_a_file_that_is_imported_again_counts_nothing_again(db, tmp_path, line, counted, form):
    path = tmp_path / "f"
    path.write_bytes(form(line(1) + line(2)))
    for _ in range(3):
        report = import_files([path], SpoolSink(db))
        assert dict(report.unusable) == {ZEROS: 2}
        assert counted() == (2, 2, 2)


def test_protobuf_is_counted_once(db, tmp_path, recordings, counted):
    body = (recordings / "otel-openai-v2.0.pb").read_bytes()
    path = tmp_path / "f.pb"
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest.FromString(body)
    request.resource_spans[0].scope_spans[0].spans.add(trace_id=b"\1" * 16, span_id=bytes(8))
    path.write_bytes(request.SerializeToString())
    for _ in range(2):
        import_files([path], SpoolSink(db))
        assert counted() == (1, 1, 2)


def test_a_file_that_has_grown_counts_what_is_new(db, tmp_path, line, counted):
    path = tmp_path / "f.jsonl"
    path.write_bytes(line(1))
    import_files([path], SpoolSink(db))
    path.write_bytes(line(1) + line(2) + line(3))
    import_files([path], SpoolSink(db))
    assert counted() == (3, 3, 3)


def test_one_line_in_several_files_and_batches_is_counted_once(db, tmp_path, line, counted, monkeypatch):
    monkeypatch.setattr(importer, "_BATCH_ROWS", 2)
    paths = [tmp_path / f"{name}.jsonl" for name in "abc"]
    for path in paths:
        path.write_bytes(b"".join(line(number) for number in (1, 2, 1, 3)))
    import_files(paths, SpoolSink(db))
    assert counted() == (3, 3, 3)


def test_the_same_reason_in_other_content_is_counted(db, tmp_path, line, counted):
    for number in (1, 2):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(line(number))
        import_files([path], SpoolSink(db))
    assert counted() == (2, 2, 2)
