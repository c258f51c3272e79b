"""What is torn, cannot be decoded or fits no table is kept aside and counted; it costs nothing else."""

import pytest

from landing.loader.segment_files import segments
from otel_ragfault.landing.loader import Landed, load_spool, spool_status
from otel_ragfault.landing.spool import RecordKind


def test_torn_tail_is_kept_aside_and_counted(db, folder, send, numbers, query):
    send(1)
    [path] = folder.glob("*.segment")
    path.write_bytes(path.read_bytes() + b"\x07\0\0\0torn")
    report = load_spool(db)
    assert numbers() == [1]
    assert dict(report.rejected) == {"torn: the head of a record is cut off": 1}
    [[reason, spans, size, kept]] = query("SELECT reason, spans, bytes, kept_in FROM rejected_span")
    assert (reason, spans, size) == ("torn: the head of a record is cut off", 0, 8)
    assert (folder / kept).read_bytes() == b"\x07\0\0\0torn"
    assert (spool_status(db).torn_files, spool_status(db).aside_bytes) == (1, 8)


def test_file_that_is_no_segment_is_kept_aside(db, folder, send, numbers, query):
    send(1)
    (folder / "0-0-alien.segment").write_bytes(b"what is this?")
    (folder / "0-0-empty.segment").write_bytes(b"")
    load_spool(db)
    assert numbers() == [1]
    assert segments(folder) == []
    assert query("SELECT count(*), sum(bytes) FROM rejected_span") == [(2, 13)]
    assert (folder / "torn" / "0-0-alien.0.piece").read_bytes() == b"what is this?"


def test_what_is_kept_aside_is_bounded(db, folder, send, query, monkeypatch):
    monkeypatch.setattr("otel_ragfault.landing.loader.aside.MAX_BYTES", 10)
    send(1)
    for number in range(3):
        (folder / f"0-0-{number}.segment").write_bytes(b"8 bytes!")
    load_spool(db)
    assert query("SELECT count(kept_in), count(*) FROM rejected_span") == [(1, 3)]


RECORDS = [
    pytest.param(RecordKind.OTLP_TRACES, b"\xff\xff\xff", "not decodable", id="no protobuf"),
    pytest.param(RecordKind.OTLP_LOGS, b"\xff\xff\xff", "not decodable", id="no protobuf of logs"),
    pytest.param(RecordKind.SPAN_ROWS, b"no arrow", "not decodable", id="no Arrow"),
    pytest.param(RecordKind.LOG_ROWS, b"", "not decodable", id="no Arrow of logs"),
    pytest.param(9, b"x", "kind 9", id="kind of a later release"),
]


@pytest.mark.parametrize(("kind", "payload", "reason"), RECORDS)
def test_record_that_nothing_can_decode_does_not_cost_the_others(
    db, folder, writer, send, numbers, query, kind, payload, reason
):
    send(1, seal=False)
    writer.append(kind, payload, spans=4)
    send(2)
    report = load_spool(db)
    assert numbers() == [1, 2]
    [[found, spans, kept]] = query("SELECT reason, spans, kept_in FROM rejected_span")
    assert reason in found
    assert (spans, report.rejected[found]) == (4, 4)
    assert (folder / kept).read_bytes() == payload
    assert query("SELECT rejected FROM segment") == [(4,)]


def test_rows_of_another_shape_are_set_aside(db, writer, rows, query):
    import pyarrow as pa

    writer.append(RecordKind.SPAN_ROWS, rows(pa.table({"trace_id": [1]})), spans=1)
    writer.seal()
    load_spool(db)
    assert "other columns" in query("SELECT reason FROM rejected_span")[0][0]


@pytest.mark.parametrize("number", [0, 3, 6])
def test_row_that_the_database_refuses_does_not_cost_the_others(
    db, folder, writer, rows, request_of, span_of, numbers, query, number
):
    from otel_ragfault.landing import decode_json, to_table

    table = to_table(decode_json(request_of(*(span_of(i) for i in range(1, 8)))).rows)
    attributes = table["attributes"].to_pylist()
    attributes[number] = "{broken"
    table = table.set_column(table.column_names.index("attributes"), "attributes", [attributes])
    writer.append(RecordKind.SPAN_ROWS, rows(table), spans=7)
    writer.seal()
    report = load_spool(db)
    assert report.landed == Landed(6, 0, 1)
    assert numbers() == [i for i in range(1, 8) if i != number + 1]
    [[reason, kept]] = query("SELECT reason, kept_in FROM rejected_span")
    assert reason == "refused by the database"
    assert (folder / kept).is_file()


POISON = [
    pytest.param(
        {"attributes": [{"key": "gen_ai.usage.input_tokens", "value": {"intValue": str(2**70)}}]}, id="tokens"
    ),
    pytest.param({"name": "lone \ud800 surrogate"}, id="surrogate"),
    pytest.param({"startTimeUnixNano": str(2**64 - 1), "endTimeUnixNano": "-5"}, id="time"),
    pytest.param({"startTimeUnixNano": "9", "endTimeUnixNano": "1"}, id="reversed"),
    pytest.param({"kind": 99, "status": {"code": -1}}, id="enums"),
    pytest.param({"traceState": "\0"}, id="NUL"),
]


@pytest.mark.parametrize("poison", POISON)
def test_poison_span_lands_repaired_with_its_batch(db, send, numbers, poison):
    send(1, {"number": 2, **poison}, 3, 3)
    report = load_spool(db)
    assert (report.landed, numbers()) == (Landed(3, 1), [1, 2, 3])


def test_poison_in_protobuf_lands_repaired_or_is_counted(db, writer, query):
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add().scope_spans.add().spans
    for number in range(4):
        spans.add(trace_id=bytes([1]) * 16, span_id=bytes([0] * 7 + [number]), name=f"s{number}")
    spans[2].start_time_unix_nano = 2**64 - 1
    spans[3].name = "QQQQQQ"
    body = request.SerializeToString().replace(b"QQQQQQ", b"\xff\xfe\xfd\xfc\xfb\xfa")
    writer.append(RecordKind.OTLP_TRACES, body, spans=4)
    writer.seal()
    report = load_spool(db)
    assert report.spans == 2
    assert report.rejected["span id of zeros"] == 1
    assert report.rejected.total() == 2
    assert query("SELECT name FROM span ORDER BY name") == [("s1",), ("s2",)]
    assert query("SELECT sum(spans) FROM rejected_span") == [(2,)]


def test_row_that_fits_no_column_is_left_out_alone(db, writer, send, numbers, query, monkeypatch):
    from otel_ragfault.landing import decode_json
    from otel_ragfault.landing.decoding.build import Decoded
    from otel_ragfault.landing.loader import decode

    def broken(body):
        good = decode_json(
            {
                "resourceSpans": [
                    {"scopeSpans": [{"spans": [{"traceId": "1" * 32, "spanId": f"{i:016x}"} for i in (7, 8, 9)]}]}
                ]
            }
        )
        return Decoded([good.rows[0], good.rows[1]._replace(kind=-1), good.rows[2]])

    monkeypatch.setattr(decode, "decode_protobuf", broken)
    writer.append(RecordKind.OTLP_TRACES, b"x", spans=3)
    writer.seal()
    load_spool(db)
    assert numbers() == [7, 9]
    assert query("SELECT spans FROM rejected_span") == [(1,)]
