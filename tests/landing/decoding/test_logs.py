import base64

import orjson
import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from otel_ragfault.landing.decoding.logs_json import decode_logs_json
from otel_ragfault.landing.decoding.logs_protobuf import decode_logs_protobuf
from otel_ragfault.landing.decoding.otlp import MalformedError
from otel_ragfault.landing.decoding.row_log import LOG_SCHEMA, to_log_table
from otel_ragfault.store import connect

EVALUATION = {
    "timeUnixNano": "1700000000000000001",
    "observedTimeUnixNano": 1700000000000000002,
    "severityNumber": "SEVERITY_NUMBER_INFO2",
    "severityText": "info",
    "eventName": "gen_ai.evaluation.result",
    "body": {"kvlistValue": {"values": [{"key": "a", "value": {"arrayValue": {"values": [{"intValue": "7"}]}}}]}},
    "attributes": [
        {"key": "gen_ai.evaluation.name", "value": {"stringValue": "relevance"}},
        {"key": "gen_ai.evaluation.score.value", "value": {"doubleValue": 4}},
        {"key": "raw", "value": {"bytesValue": base64.b64encode(b"\xff").decode()}},
    ],
    "droppedAttributesCount": 2,
    "flags": 1,
    "traceId": "0af7651916cd43dd8448eb211c80319c",
    "spanId": "b7ad6b7169203331",
}


def request_of(*records, **more):
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scope = {"name": "lib", "version": "2"}
    return {
        "resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": list(records)}]}],
        **more,
    }


def protobuf():
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = "shop"
    scope = group.scope_logs.add()
    scope.scope.name, scope.scope.version = "lib", "2"
    record = scope.log_records.add(
        time_unix_nano=1700000000000000001,
        observed_time_unix_nano=1700000000000000002,
        severity_number=10,
        severity_text="info",
        event_name="gen_ai.evaluation.result",
        dropped_attributes_count=2,
        flags=1,
        trace_id=bytes.fromhex(EVALUATION["traceId"]),
        span_id=bytes.fromhex(EVALUATION["spanId"]),
    )
    record.body.kvlist_value.values.add(key="a").value.array_value.values.add(int_value=7)
    record.attributes.add(key="gen_ai.evaluation.name").value.string_value = "relevance"
    record.attributes.add(key="gen_ai.evaluation.score.value").value.double_value = 4
    record.attributes.add(key="raw").value.bytes_value = b"\xff"
    return request


def test_both_wire_forms_give_the_same_row():
    [row] = decode_logs_json(request_of(EVALUATION)).rows
    assert decode_logs_protobuf(protobuf().SerializeToString()).rows == [row]
    assert row.time == 1700000000000000001
    assert row.observed_time == 1700000000000000002
    assert row.trace_id.hex() == EVALUATION["traceId"]
    assert (row.severity_number, row.severity_text, row.event_name) == (10, "info", "gen_ai.evaluation.result")
    assert (row.service, row.scope_name, row.scope_version) == ("shop", "lib", "2")
    assert orjson.loads(row.body) == {"a": [7]}
    assert orjson.loads(row.attributes) == {
        "gen_ai.evaluation.name": "relevance",
        "gen_ai.evaluation.score.value": 4.0,
        "raw": {"$bytes": "/w=="},
    }
    assert (row.flags, row.dropped_attributes_count, row.repairs) == (1, 2, None)


def test_rows_fit_the_table(tmp_path):
    con = connect(tmp_path / "logs.duckdb", create=True)
    columns = [row[0] for row in con.execute("DESCRIBE log_record").fetchall()]
    assert columns == [*LOG_SCHEMA.names, "segment_id"]
    rows = to_log_table(decode_logs_json(request_of(EVALUATION, {})).rows)
    con.register("rows", rows)
    con.execute("INSERT INTO log_record BY NAME SELECT *, uuid() AS segment_id FROM rows")
    assert con.execute("SELECT count(*), count(time), count(trace_id) FROM log_record").fetchall() == [(2, 1, 1)]
    con.close()


def test_older_senders_name_the_event_in_an_attribute():
    sent = {"attributes": [{"key": "event.name", "value": {"stringValue": "gen_ai.user.message"}}]}
    assert decode_logs_json(request_of(sent)).rows[0].event_name == "gen_ai.user.message"


def test_snake_case_is_read():
    sent = {
        "resource_logs": [
            {"scope_logs": [{"log_records": [{"time_unix_nano": 5, "severity_number": 9, "event_name": "e"}]}]}
        ]
    }
    [row] = decode_logs_json(sent).rows
    assert (row.time, row.severity_number, row.event_name) == (5, 9, "e")


ODD = [
    pytest.param({"timeUnixNano": str(2**64 - 1)}, "time", id="impossible time"),
    pytest.param({"timeUnixNano": "soon"}, "time", id="time in words"),
    pytest.param({"severityNumber": 99}, "severity_number", id="severity"),
    pytest.param({"severityNumber": "LOUD"}, "severity_number", id="severity by an unknown name"),
    pytest.param({"traceId": "xyz"}, "trace_id", id="trace id"),
    pytest.param({"spanId": "00"}, "span_id", id="span id"),
    pytest.param({"severityText": 5}, "severity_text", id="text that is none"),
    pytest.param({"body": {"stringValue": "\ud800"}}, "body", id="surrogate in the body"),
    pytest.param({"eventName": "\ud800"}, "event_name", id="surrogate in the name"),
    pytest.param({"body": 5}, "body", id="body that is no value"),
    pytest.param({"flags": -1}, "flags", id="flags"),
]


@pytest.mark.parametrize(("sent", "field"), ODD)
def test_what_cannot_be_stored_is_noted_and_the_rest_lands(sent, field):
    [row, other] = decode_logs_json(request_of(sent, {"body": {"stringValue": "fine"}})).rows
    assert list(orjson.loads(row.repairs)) == [field]
    assert (other.body, other.repairs) == ('"fine"', None)
    to_log_table([row, other])


def test_zero_ids_and_times_are_not_given():
    [row] = decode_logs_json(request_of({"traceId": "0" * 32, "spanId": "0" * 16, "timeUnixNano": 0})).rows
    assert (row.trace_id, row.span_id, row.time, row.body, row.repairs) == (None, None, None, None, None)


BAD_PARTS = [
    pytest.param(request_of(5), {"logRecords holds something else than objects": 1}, id="record"),
    pytest.param(request_of({"attributes": 5}), {"attributes is not a list": 1}, id="attributes"),
    pytest.param({"resourceLogs": [{"scopeLogs": [{"logRecords": 5}]}]}, {"logRecords is not a list": 1}, id="records"),
    pytest.param({"resourceLogs": ["x"]}, {"resourceLogs holds something else than objects": 1}, id="resource"),
    pytest.param({"resourceLogs": [{"resource": 5, "scopeLogs": [{"logRecords": [{}, {}]}]}]}, None, id="bad resource"),
]


@pytest.mark.parametrize(("sent", "reasons"), BAD_PARTS)
def test_parts_of_another_shape_are_counted(sent, reasons):
    decoded = decode_logs_json(sent)
    assert decoded.rows == []
    assert decoded.unusable == (reasons or {"resource holds something else than objects": 2})


@pytest.mark.parametrize("sent", [{}, {"resourceLogs": []}, {"resourceLogs": None}])
def test_nothing_is_nothing(sent):
    assert decode_logs_json(sent).rows == []


@pytest.mark.parametrize("sent", [5, [], "x", None, {"resourceLogs": 5}])
def test_what_is_no_request_is_refused(sent):
    with pytest.raises(MalformedError):
        decode_logs_json(sent)


def test_good_records_of_a_request_that_does_not_parse_are_saved():
    request = protobuf()
    request.resource_logs[0].scope_logs[0].log_records.add(severity_text="QQQQ")
    body = request.SerializeToString().replace(b"QQQQ", b"\xff\xfe\xfd\xfc")
    decoded = decode_logs_protobuf(body)
    assert decoded.rows == decode_logs_json(request_of(EVALUATION)).rows
    assert decoded.unusable.total() == 1


@pytest.mark.parametrize("body", [b"\xff\xff\xff", b"\x0a\xffx", b"not protobuf at all"])
def test_bytes_that_are_no_request_are_refused(body):
    with pytest.raises(MalformedError):
        decode_logs_protobuf(body)
