import os
import threading
import time
import uuid
from datetime import UTC, datetime

import duckdb
import pytest

from landing.loader.segment_files import segments
from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing.loader import Landed, is_busy, load_spool, passes, spool_status
from otel_ragfault.landing.spool import RecordKind, SpoolWriter


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
