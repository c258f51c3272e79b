"""Log records in files: every form, mixed with spans, and twice."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import duckdb
import orjson
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing import Landed, SpoolSink, import_files
from otel_ragfault.landing.importing import importer
from otel_ragfault.landing.loader import load_spool
from otel_ragfault.landing.spool import RecordKind, SpoolWriter

SECOND = 1_790_000_000_000_000_000


@pytest.fixture
def sink(db):
    return SpoolSink(db)


@pytest.fixture
def write(tmp_path):
    def run(content, name="f.jsonl"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return run


@pytest.fixture
def spans(request_of, span_of):
    return lambda number: orjson.dumps(request_of(span_of(number)))


def record_of(number, **fields):
    return {"timeUnixNano": str(SECOND + number), "body": {"stringValue": f"record {number}"}, **fields}


def logs(*records):
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scopes = [{"logRecords": [record if isinstance(record, dict) else record_of(record) for record in records]}]
    return orjson.dumps({"resourceLogs": [{"resource": resource, "scopeLogs": scopes}]})


def protobuf(*numbers, **fields):
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = "shop"
    for number in numbers:
        record = group.scope_logs.add().log_records.add(time_unix_nano=SECOND + number, **fields)
        record.body.string_value = f"record {number}"
    return request.SerializeToString()


def framed(*bodies):
    return b"".join(len(body).to_bytes(4) + body for body in bodies)


def zstd(data):
    return pa.Codec("zstd").compress(data).to_pybytes()


FORMS = [
    pytest.param(lambda spans: logs(1) + b"\n" + logs(2, 3), (0, 3), id="lines"),
    pytest.param(lambda spans: orjson.dumps(orjson.loads(logs(1, 2, 3)), option=orjson.OPT_INDENT_2), (0, 3), id="document"),
    pytest.param(lambda spans: b"\n".join([logs(1), spans(1), logs(2), spans(2), logs(3)]), (2, 3), id="mixed lines"),
    pytest.param(lambda spans: orjson.dumps(orjson.loads(logs(1)) | orjson.loads(spans(1))), (1, 1), id="both in one object"),
    pytest.param(lambda spans: b"[" + logs(1) + b"," + spans(1) + b"]", (1, 1), id="array"),
    pytest.param(lambda spans: gzip.compress(logs(1) + b"\n" + logs(2)), (0, 2), id="gzip"),
    pytest.param(lambda spans: zstd(logs(1) + b"\n" + logs(2)), (0, 2), id="zstd"),
    pytest.param(lambda spans: protobuf(1, 2), (0, 2), id="one message"),
    pytest.param(lambda spans: framed(protobuf(1), protobuf(2, 3)), (0, 3), id="length-prefixed"),
    pytest.param(lambda spans: framed(zstd(protobuf(1)), zstd(protobuf(2, 3))), (0, 3), id="length-prefixed zstd"),
    pytest.param(lambda spans: gzip.compress(framed(protobuf(1), protobuf(2, 3))), (0, 3), id="length-prefixed in gzip"),
    pytest.param(lambda spans: framed(zstd(logs(1)), zstd(spans(1))), (1, 1), id="length-prefixed zstd of JSON"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "counts"), FORMS)
def test_log_records_land_and_a_second_time_add_nothing(sink, write, query, spans, content, counts):
    path = write(content(spans))
    first, again = import_files([path], sink), import_files([path], sink)
    assert (first.spans, first.logs, first.complete, first.skipped.total()) == (*counts, True, 0)
    assert (again.spans, again.duplicates, again.logs, again.log_duplicates) == (0, counts[0], 0, counts[1])
    assert query("SELECT count(*), count(DISTINCT body), any_value(service) FROM log_record") == [
        (counts[1], counts[1], "shop")
    ]


def test_spans_logs_and_metrics_in_one_file_of_messages(sink, write, recordings):
    metrics = ExportMetricsServiceRequest()
    metric = metrics.resource_metrics.add().scope_metrics.add().metrics.add(name="requests")
    metric.sum.data_points.add(time_unix_nano=5)
    bodies = [(recordings / "otel-openai-v2.0.pb").read_bytes(), protobuf(1), metrics.SerializeToString(), protobuf(2)]
    report = import_files([write(framed(*bodies))], sink)
    assert (report.spans, report.logs, dict(report.skipped), report.complete) == (2, 2, {"metrics": 1}, True)


def test_both_wire_forms_of_a_record_are_the_same_record(sink, write):
    report = import_files([write(logs(1, 2)), write(protobuf(1, 2), "f.pb"), write(protobuf(2, 3), "g.pb")], sink)
    assert (report.logs, report.log_duplicates) == (3, 3)


def test_record_with_nothing_but_a_body_is_a_log_record(sink, write, query):
    message = ExportLogsServiceRequest()
    message.resource_logs.add().scope_logs.add().log_records.add().body.string_value = "alone"
    assert import_files([write(message.SerializeToString(), "f.pb")], sink).logs == 1
    assert query("SELECT body, time, observed_time FROM log_record") == [('"alone"', None, None)]


NOT_THE_SAME = [
    pytest.param({"timeUnixNano": str(SECOND + 2)}, id="time"),
    pytest.param({"observedTimeUnixNano": str(SECOND)}, id="time of observation"),
    pytest.param({"body": {"stringValue": "other"}}, id="body"),
    pytest.param({"body": None}, id="no body"),
    pytest.param({"attributes": [{"key": "a", "value": {"intValue": 1}}]}, id="attribute"),
    pytest.param({"eventName": "e"}, id="event"),
    pytest.param({"severityNumber": 9}, id="severity"),
    pytest.param({"traceId": "0af7651916cd43dd8448eb211c80319c"}, id="trace"),
    pytest.param({"flags": 1}, id="flags"),
]


@pytest.mark.parametrize("difference", NOT_THE_SAME)
def test_one_field_makes_another_record(sink, write, difference):
    import_files([write(logs(1))], sink)
    report = import_files([write(logs(1, record_of(1, **difference)))], sink)
    assert (report.logs, report.log_duplicates) == (1, 1)


@pytest.mark.parametrize(
    "times", [{"timeUnixNano": 0, "observedTimeUnixNano": 7}, {"timeUnixNano": 0}], ids=["seen", "never"]
)
def test_records_without_a_time_of_their_own_are_known_again(sink, write, times):
    path = write(logs(record_of(1, **times), record_of(2, **times), record_of(2, **times), 3))
    first, again = import_files([path], sink), import_files([path], sink)
    assert (first.logs, first.log_duplicates) == (3, 1)
    assert (again.logs, again.log_duplicates) == (0, 4)


RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "timeUnixNano": st.integers(0, 3),
        "observedTimeUnixNano": st.integers(0, 3),
        "body": st.sampled_from([{"stringValue": "a"}, {"stringValue": "\ud800"}, {"intValue": "1"}, {"doubleValue": "NaN"}]),
        "traceId": st.sampled_from(["0af7651916cd43dd8448eb211c80319c", "bad"]),
        "attributes": st.sampled_from([[], [{"key": "password", "value": {"stringValue": "x"}}]]),
    },
)  # fmt: skip


@given(st.lists(st.lists(RECORDS, max_size=4), max_size=4), st.integers(1, 4))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_records_in_any_batches_are_stored_once(tmp_path_factory, requests, batch):
    folder = tmp_path_factory.mktemp("any")
    path = folder / "f.jsonl"
    import json

    lines = [json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}) for records in requests]
    path.write_text("\n".join([*lines, '{"resourceLogs":[]}']))
    sink = SpoolSink(folder / "any.duckdb")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(importer, "_BATCH_ROWS", batch)
        first = import_files([path], sink)
    again = import_files([path], sink)
    total = sum(map(len, requests))
    assert first.logs + first.log_duplicates == total
    assert (again.logs, again.log_duplicates) == (0, total)


def test_what_waits_in_the_spool_is_known_too(db, sink, write):
    from otel_ragfault.landing.decoding.logs_json import decode_logs_json
    from otel_ragfault.landing.decoding.row_log import to_log_table
    from otel_ragfault.landing.decoding.rows import write_rows

    writer = SpoolWriter(db, source="test")
    rows = decode_logs_json(orjson.loads(logs(1))).rows
    writer.append(RecordKind.LOG_ROWS, write_rows(to_log_table(rows)), spans=1)
    writer.close()
    report = import_files([write(logs(1, 2))], sink)
    assert (report.logs, report.log_duplicates) == (1, 1)
    assert load_spool(db).logs == 0


class SpansOnly:
    """A sink that keeps no log records."""

    def write(self, batch, *, source, wait=None):
        return Landed(batch.num_rows)


def test_a_sink_of_spans_lets_logs_be_skipped(write, spans):
    path = write(b"\n".join([logs(1), spans(1), spans(2)]))
    report = import_files([path, write(protobuf(1), "f.pb")], SpansOnly())
    assert (report.spans, report.logs, dict(report.skipped)) == (2, 0, {"logs": 2})


def test_bad_record_costs_only_itself_and_is_counted_in_the_database(sink, write, query):
    broken = protobuf(1, 2, severity_text="QQQQ").replace(b"QQQQ", b"\xff\xfe\xfd\xfc", 1)
    report = import_files([write(framed(broken, protobuf(3)), "f.pb"), write(logs(4, {"attributes": 5}))], sink)
    reasons = {
        "not parsable as protobuf (text that is not UTF-8, or nested too deeply)": 1,
        "attributes is not a list": 1,
    }
    assert (report.logs, dict(report.unusable)) == (3, reasons)
    assert dict(query("SELECT reason, CAST(spans AS INT) FROM rejected_span")) == reasons
    assert query("SELECT CAST(sum(rejected) AS INT) FROM segment") == [(2,)]


def test_spans_that_cannot_become_rows_are_counted_in_the_database(sink, write, query, request_of, span_of):
    request = request_of(span_of(1), span_of(2, spanId="0" * 16), span_of(3, spanId="0" * 16))
    report = import_files([write(orjson.dumps(request))], sink)
    assert (report.spans, dict(report.unusable)) == (1, {"span id of zeros": 2})
    assert query("SELECT reason, CAST(spans AS INT) FROM rejected_span") == [("span id of zeros", 2)]


def test_many_records_with_flat_batches(monkeypatch, sink, write, query):
    monkeypatch.setattr(importer, "_BATCH_ROWS", 100)
    path = write(b"\n".join(logs(*range(start, start + 7)) for start in range(0, 2100, 7)))
    assert import_files([path], sink).logs == 2100
    again = import_files([path], sink)
    assert (again.logs, again.log_duplicates) == (0, 2100)
    assert query("SELECT count(*) FROM log_record") == [(2100,)]


def test_a_database_without_tables_is_filled_as_by_spans(db, sink, write):
    duckdb.connect(str(db)).close()
    assert import_files([write(logs(1, 2))], sink).logs == 2


def test_a_file_that_is_no_database_stops_the_import_and_what_was_read_waits(db, sink, write):
    db.write_bytes(b"something else" * 999)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        import_files([write(logs(1, 2))], sink)
    db.unlink()
    assert import_files([write(logs(1, 2, 3))], sink).logs == 1
    assert load_spool(db).logs == 0


@pytest.mark.parametrize("form", [logs, protobuf], ids=["json", "protobuf"])
def test_imports_of_one_file_at_the_same_moment_store_it_once(db, write, query, spans, form):
    """Their sinks take from each other what waits in the spool, so that each counts what the other stored."""
    path = write(framed(*[form(*range(start, start + 50)) for start in range(0, 2000, 50)]), "f.bin")
    imports = 3
    together = Barrier(imports, timeout=60)

    def run(_):
        together.wait()
        return import_files([path], SpoolSink(db, wait=120))

    with pytest.MonkeyPatch.context() as patched, ThreadPoolExecutor(imports) as pool:
        patched.setattr(importer, "_BATCH_ROWS", 500)
        reports = list(pool.map(run, range(imports)))
    assert query("SELECT count(*), count(DISTINCT body) FROM log_record") == [(2000, 2000)]
    assert sum(report.logs for report in reports) == 2000
    assert [report.logs + report.log_duplicates for report in reports] == [2000] * imports
