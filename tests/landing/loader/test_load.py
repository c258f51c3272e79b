import os
import subprocess
import sys
import threading
import time
import uuid
from datetime import UTC, datetime

import duckdb
import pytest

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader import Landed, SpoolLoader, is_busy, load_spool, passes, spool_status
from otel_ragfault.landing.spool import RecordKind, SpoolWriter


def segments(folder):
    return sorted(path.name for path in folder.glob("*.segment"))


def test_sealed_segments_land_and_their_files_go(db, folder, send, numbers, query):
    send(1, 2)
    send(3)
    report = load_spool(db)
    assert (report.spans, report.duplicates, report.removed, report.recovered) == (3, 0, 2, 0)
    assert numbers() == [1, 2, 3]
    assert segments(folder) == []
    assert query("SELECT source, spans, duplicates, logs, rejected, built FROM segment ORDER BY segment_id") == [
        ("test", 2, 0, 0, 0, False),
        ("test", 1, 0, 0, 0, False),
    ]
    assert query("SELECT DISTINCT segment_id FROM span ORDER BY 1") == query(
        "SELECT segment_id FROM segment ORDER BY 1"
    )
    [[landed_at]] = query("SELECT max(landed_at) FROM segment")
    assert abs((datetime.now(UTC).replace(tzinfo=None) - landed_at).total_seconds()) < 60


def test_no_spool_is_an_empty_one(db):
    assert load_spool(db).spans == 0
    assert not db.exists()
    assert spool_status(db).files == 0


def test_open_segment_of_a_living_writer_stays_its_own(db, send, numbers):
    send(1)
    send(2, seal=False)
    assert load_spool(db).spans == 1
    assert numbers() == [1]
    assert spool_status(db).writers == 1


def test_segment_of_a_dead_writer_is_taken(db, folder, send, numbers):
    send(1, seal=False)
    copy = folder / "1-1-dead.open"
    copy.write_bytes(next(folder.glob("*.open")).read_bytes())
    report = load_spool(db)
    assert (report.recovered, report.spans, numbers()) == (1, 1, [1])


def test_segment_in_the_ledger_is_not_stored_again(db, folder, send, query):
    send(1, 2)
    [path] = folder.glob("*.segment")
    content = path.read_bytes()
    load_spool(db)
    path.write_bytes(content)
    report = load_spool(db)
    assert (report.segments, report.removed, segments(folder)) == ({}, 1, [])
    assert query("SELECT count(*) FROM span") == [(2,)]
    assert query("SELECT count(*) FROM segment") == [(1,)]


def test_spans_sent_again_are_dropped_and_counted_by_segment(db, send, query, numbers):
    send(1, 2)
    send(2, 3)
    send(3, 3, 4)
    load_spool(db)
    send(1, 5)
    report = load_spool(db)
    assert list(report.segments.values()) == [Landed(1, 1)]
    assert numbers() == [1, 2, 3, 4, 5]
    assert query("SELECT spans, duplicates FROM segment ORDER BY segment_id") == [(2, 0), (1, 1), (1, 2), (1, 1)]


def test_spans_of_very_different_times_are_told_apart(db, send, numbers, query):
    year = 365 * 86400 * 10**9
    times = [{"number": i, "startTimeUnixNano": str(i * year + 1)} for i in range(1, 40)]
    send(*times)
    load_spool(db)
    send(*times[::3], {"number": 50, "startTimeUnixNano": str(7 * year)}, {"number": 51, "startTimeUnixNano": "0"})
    report = load_spool(db)
    assert (report.spans, report.duplicates) == (2, 13)
    send({"number": 51, "startTimeUnixNano": "0"})
    assert load_spool(db).duplicates == 1


def test_span_again_under_another_start_is_left_to_the_record_builder(db, send):
    """Only the window of the batch is searched; a sender that retries sends the same start."""
    send({"number": 1, "startTimeUnixNano": "1000"})
    load_spool(db)
    send({"number": 1, "startTimeUnixNano": str(10**18)})
    assert load_spool(db).spans == 1


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


def test_database_in_use_is_waited_for(db, folder, send, numbers, held):
    send(1)
    load_spool(db)
    send(2)
    with held(db):
        with pytest.raises(DatabaseError) as caught:
            load_spool(db, wait=0.1)
        assert is_busy(caught.value)
        assert len(segments(folder)) == 1
        reports = []
        thread = threading.Thread(target=lambda: reports.append(load_spool(db, wait=30)))
        thread.start()
        time.sleep(0.2)
        assert reports == []
    thread.join()
    assert reports[0].spans == 1
    assert numbers() == [1, 2]


def test_loaders_take_turns(db, send, numbers):
    for number in range(1, 21):
        send(number)
    reports = []
    threads = [threading.Thread(target=lambda: reports.append(load_spool(db, wait=60))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(report.spans for report in reports) == 20
    assert numbers() == list(range(1, 21))


def test_file_stays_until_the_database_file_has_its_rows(db, folder, send, query, monkeypatch):
    send(1)
    with monkeypatch.context() as patched:
        patched.setattr(passes, "checkpoint", lambda *_: False)
        report = load_spool(db)
    assert (report.spans, report.removed, len(segments(folder))) == (1, 0, 1)
    report = load_spool(db)
    assert (report.spans, report.removed, segments(folder)) == (0, 1, [])
    assert query("SELECT count(*) FROM span") == [(1,)]


def test_log_cut_in_half_by_a_full_disk_costs_nothing(db, folder, send, numbers, query):
    """DuckDB opens a cut write-ahead log without a message, and without the rows and ledger lines that were in it."""
    send(1)
    load_spool(db)
    contents = {}
    con = duckdb.connect(str(db))
    con.execute("PRAGMA disable_checkpoint_on_shutdown")
    for number in (2, 3, 4):
        send(number)
        [path] = folder.glob("*.segment")
        contents[path] = path.read_bytes()
        one = passes.Passes(db)
        one._make_ready()
        passes.store(con, one._ready)
        path.unlink()
    con.close()
    for path, content in contents.items():
        path.write_bytes(content)
    wal = db.with_name("spans.duckdb.wal")
    os.truncate(wal, wal.stat().st_size // 2)
    load_spool(db)
    assert numbers() == [1, 2, 3, 4]
    assert query("SELECT count(*), sum(spans) FROM segment") == [(4, 4)]
    assert segments(folder) == []


def test_loads_are_bounded_but_go_on_until_nothing_is_left(db, send, numbers, monkeypatch):
    monkeypatch.setattr("otel_ragfault.landing.loader.passes._FIRST", 1)
    monkeypatch.setattr("otel_ragfault.landing.loader.passes._LEAST", 1)
    for number in (1, 2, 3):
        send(number)
    steps = []
    assert load_spool(db, until_empty=False).spans == 1
    assert load_spool(db, on_progress=lambda done, total: steps.append((done, total))).spans == 2
    assert len(steps) == 2
    assert steps[-1][0] == steps[-1][1] > 0
    assert numbers() == [1, 2, 3]


def test_database_that_cannot_be_opened_is_an_error_and_the_spans_wait(db, folder, send, numbers):
    db.write_bytes(b"not a database" * 1000)
    send(1)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        load_spool(db, wait=0)
    assert len(segments(folder)) == 1
    db.unlink()
    assert load_spool(db).spans == 1


def test_clock_that_jumps_loses_and_doubles_nothing(db, folder, monkeypatch, request_of, span_of, rows, numbers):
    from otel_ragfault.landing import decode_json, to_table

    real = time.time_ns()
    for i, now in enumerate((real, real + 10**18, real - 10**18, 1, 2**62), 1):
        monkeypatch.setattr(time, "time_ns", lambda now=now: now)
        monkeypatch.setattr(time, "time", lambda now=now: now / 1e9)
        writer = SpoolWriter(db, source="test")
        payload = rows(to_table(decode_json(request_of(span_of(i))).rows))
        writer.append(RecordKind.SPAN_ROWS, payload, spans=1)
        writer.close()
        if i % 2:
            load_spool(db)
    monkeypatch.undo()
    load_spool(db)
    assert numbers() == [1, 2, 3, 4, 5]
    assert segments(folder) == []
    assert (spool_status(db).oldest_age, spool_status(db).files) == (None, 0)


def test_leftover_of_a_segment_that_was_never_born_is_cleared(db, folder, send):
    send(1)
    old, young = folder / "1-1-old.new", folder / "2-2-young.new"
    old.write_bytes(b"")
    young.write_bytes(b"")
    os.utime(old, (1, 1))
    load_spool(db)
    assert (old.exists(), young.exists()) == (False, True)


def test_log_records_land(db, writer, query):
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    request = ExportLogsServiceRequest()
    resource = request.resource_logs.add()
    resource.resource.attributes.add(key="service.name").value.string_value = "shop"
    record = resource.scope_logs.add().log_records.add(
        time_unix_nano=5, trace_id=b"\1" * 16, span_id=b"\2" * 8, event_name="gen_ai.evaluation.result"
    )
    record.body.string_value = "hello"
    writer.append(RecordKind.OTLP_LOGS, request.SerializeToString(), spans=1)
    writer.seal()
    report = load_spool(db)
    assert (report.spans, report.logs) == (0, 1)
    assert query("SELECT epoch_ns(time), trace_id, event_name, service, body ->> '$' FROM log_record") == [
        (5, uuid.UUID("01" * 16), "gen_ai.evaluation.result", "shop", "hello")
    ]
    assert query("SELECT logs, built FROM segment") == [(1, False)]


@pytest.fixture
def loader(db):
    stop = threading.Event()
    loader = SpoolLoader(db)
    thread = threading.Thread(target=loader.run, args=(stop,))
    thread.start()
    yield loader
    stop.set()
    thread.join(20)
    assert not thread.is_alive()


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_loader_of_a_long_process_loads_what_is_sealed(loader, send, folder, numbers):
    for number in (1, 2, 3):
        send(number)
    assert until(lambda: loader.stats.spans == 3 and not segments(folder))
    assert numbers() == [1, 2, 3]
    assert loader.stats.last_load_at > 0
    assert 0 <= loader.stats.lag < 60


def test_loader_backs_off_while_the_database_is_in_use(loader, db, send, folder, held):
    send(1)
    assert until(lambda: not segments(folder))
    with held(db):
        send(2)
        assert until(lambda: loader.stats.lock_waits > 2)
        assert len(segments(folder)) == 1
    assert until(lambda: loader.stats.spans == 2)


def test_loader_survives_a_database_that_is_none(loader, db, send, folder, caplog):
    db.write_bytes(b"not a database" * 1000)
    send(1)
    assert until(lambda: caplog.records)
    db.unlink()
    assert until(lambda: loader.stats.spans == 1)
    assert len(caplog.records) == 1


READ = """
import sys
from otel_ragfault.store import connect
print(connect(sys.argv[1], read_only=True, wait=10).execute("SELECT count(*) FROM span").fetchone()[0])
"""


def test_reader_in_another_process_gets_its_turn_while_spans_keep_coming(loader, db, send):
    send(1)
    assert until(lambda: loader.stats.spans == 1)
    stop = threading.Event()

    def keep_sending():
        number = 2
        while not stop.is_set():
            send(number)
            number += 1

    thread = threading.Thread(target=keep_sending)
    thread.start()
    try:
        found = subprocess.run([sys.executable, "-c", READ, str(db)], check=True, capture_output=True, text=True)
        assert int(found.stdout) >= 1
    finally:
        stop.set()
        thread.join()
