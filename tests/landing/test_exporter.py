import gc
import logging
import os
import subprocess
import threading
import time
from contextlib import suppress

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExportResult

from otel_ragfault.landing import DuckDBSpanExporter, ExporterStats

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


def count(query):
    return query("SELECT count(*) FROM span")[0][0]


@pytest.mark.parametrize("processor", [SimpleSpanProcessor, BatchSpanProcessor])
def test_spans_of_a_pipeline_arrive(db, query, processor):
    exporter = DuckDBSpanExporter(db)
    provider = TracerProvider()
    provider.add_span_processor(processor(exporter))
    for i in range(5):
        provider.get_tracer("t").start_span(f"s{i}", attributes={"n": i}).end()
    provider.shutdown()
    assert exporter.stats == ExporterStats(exported=5)
    assert query("SELECT name, CAST(attributes ->> '$.n' AS INT) FROM span ORDER BY name") == [
        (f"s{i}", i) for i in range(5)
    ]


def test_same_spans_twice_are_stored_once(db, query, some_spans):
    exporter = DuckDBSpanExporter(db)
    spans = some_spans(3)
    assert [exporter.export(spans), exporter.export(spans)] == [SUCCESS, SUCCESS]
    assert exporter.stats == ExporterStats(exported=3, duplicates=3)
    assert count(query) == 3


def test_locked_database_keeps_spans_until_it_is_free(db, query, some_spans, held, caplog):
    exporter = DuckDBSpanExporter(db, wait=0.05)
    exporter.export(some_spans(1))
    with held(db):
        assert exporter.export(some_spans(2)) is FAILURE
        assert exporter.export(some_spans(2)) is FAILURE
        assert exporter.stats == ExporterStats(exported=1, failed=2, pending=4)
        assert not exporter.force_flush(100)
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.stats == ExporterStats(exported=6, failed=3)
    assert count(query) == 6
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_flush_waits_until_the_database_is_free(db, query, some_spans, held):
    exporter = DuckDBSpanExporter(db, wait=0)
    with held(db):
        exporter.export(some_spans(2))
        flushed = []
        thread = threading.Thread(target=lambda: flushed.append(exporter.force_flush(20_000)))
        thread.start()
        time.sleep(0.2)
    thread.join()
    assert flushed == [True]
    assert count(query) == 2


def test_flush_and_shutdown_keep_their_time(db, some_spans, held):
    exporter = DuckDBSpanExporter(db, wait=0)
    with held(db):
        exporter.export(some_spans(2))
        start = time.monotonic()
        assert not exporter.force_flush(200)
        exporter.shutdown(200)
        assert time.monotonic() - start < 2
    assert exporter.stats == ExporterStats(failed=exporter.stats.failed, dropped=2)


def test_flush_keeps_its_time_while_another_thread_writes(db):
    exporter = DuckDBSpanExporter(db)
    acquired, release = threading.Event(), threading.Event()

    def write():
        with exporter._lock:
            acquired.set()
            release.wait(10)

    thread = threading.Thread(target=write)
    thread.start()
    acquired.wait(10)
    start = time.monotonic()
    assert not exporter.force_flush(100)
    assert time.monotonic() - start < 2
    release.set()
    thread.join()


def test_nothing_is_accepted_after_shutdown(db, some_spans):
    exporter = DuckDBSpanExporter(db)
    exporter.shutdown()
    exporter.shutdown()
    assert exporter.export(some_spans(3)) is FAILURE
    assert exporter.stats.dropped == 3


def test_spans_beyond_the_bound_are_dropped_newest_first(db, query, record, held):
    exporter = DuckDBSpanExporter(db, wait=0, max_pending_spans=5)
    with held(db):
        for part in range(3):
            exporter.export(record(lambda t, p=part: [t.start_span(f"{p}{i}").end() for i in range(3)]))
        assert (exporter.stats.pending, exporter.stats.dropped) == (5, 4)
    assert exporter.force_flush()
    assert query("SELECT name FROM span ORDER BY name") == [("00",), ("01",), ("02",), ("10",), ("11",)]


def test_path_below_a_file_fails_without_raising(tmp_path, some_spans, caplog):
    (tmp_path / "file").write_text("")
    exporter = DuckDBSpanExporter(tmp_path / "file" / "db.duckdb")
    assert [exporter.export(some_spans(1)) for _ in range(3)] == [FAILURE] * 3
    assert exporter.stats == ExporterStats(failed=3, pending=3)
    assert len(caplog.records) == 1


def test_directory_that_appears_later_gets_what_was_pending(tmp_path, some_spans):
    exporter = DuckDBSpanExporter(tmp_path / "later" / "db.duckdb")
    assert exporter.export(some_spans(2)) is FAILURE
    (tmp_path / "later").mkdir()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.stats.exported == 3


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"x"], ids=["garbage", "one byte"])
def test_file_that_is_no_database_is_left_alone(db, some_spans, content):
    db.write_bytes(content)
    exporter = DuckDBSpanExporter(db)
    assert exporter.export(some_spans(1)) is FAILURE
    assert exporter.stats == ExporterStats(failed=1, pending=1)
    assert db.read_bytes() == content


def test_span_that_is_none_is_set_aside(db, query, some_spans, caplog):
    exporter = DuckDBSpanExporter(db)
    [good] = some_spans(1)
    assert exporter.export([None, good, "x"]) is SUCCESS
    assert exporter.stats == ExporterStats(exported=1, unusable=2)
    assert count(query) == 1
    assert len(caplog.records) == 1


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield disk
    gc.collect()
    subprocess.run(["umount", str(disk)], check=True)


def fill(path):
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def test_full_disk_keeps_spans_until_there_is_room(small_disk, record):
    from otel_ragfault.store import connect

    exporter = DuckDBSpanExporter(small_disk / "db.duckdb")
    ballast = small_disk / "ballast"
    noise = os.urandom(100_000).hex()

    def send(part):
        return exporter.export(record(lambda t: t.start_span(f"s{part}", attributes={"noise": noise}).end()))

    assert send(0) is SUCCESS
    fill(ballast)
    results = [send(part) for part in range(1, 6)]
    assert FAILURE in results
    assert exporter.stats.pending >= 1
    ballast.unlink()
    assert exporter.force_flush(5_000)
    con = connect(small_disk / "db.duckdb", read_only=True)
    assert con.execute("SELECT name FROM span ORDER BY name").fetchall() == [(f"s{i}",) for i in range(6)]
    con.close()


def test_disk_that_is_full_from_the_start_leaves_no_half_database(small_disk, some_spans):
    exporter = DuckDBSpanExporter(small_disk / "db.duckdb")
    fill(small_disk / "ballast")
    assert exporter.export(some_spans(2)) is FAILURE
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]
    (small_disk / "ballast").unlink()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.stats.exported == 3


def test_many_threads_lose_nothing(db, query, some_spans):
    exporter = DuckDBSpanExporter(db, wait=10)
    parts = [some_spans(20) for _ in range(12)]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert exporter.stats == ExporterStats(exported=240)
    assert count(query) == 240


def test_two_exporters_on_one_path_lose_nothing(db, query, some_spans):
    exporters = [DuckDBSpanExporter(db, wait=10) for _ in range(2)]
    parts = [(exporter, some_spans(20)) for exporter in exporters * 5]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for exporter, part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(exporter.force_flush() for exporter in exporters)
    assert count(query) == 200


def test_span_that_ends_during_a_write_is_taken_along(db, query, some_spans, caplog):
    """A log handler that is traced ends spans while the exporter logs, in the same thread."""
    exporter = DuckDBSpanExporter(db)
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    class Traced(logging.Handler):
        def emit(self, record):
            provider.get_tracer("t").start_span("log").end()

    handler = Traced()
    logging.getLogger("otel_ragfault").addHandler(handler)
    try:
        exporter.export([None, *some_spans(1)])
    finally:
        logging.getLogger("otel_ragfault").removeHandler(handler)
    assert exporter.force_flush()
    assert sorted(query("SELECT name FROM span")) == [("log",), ("s0",)]


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_child_of_a_fork_starts_clean_and_writes_too(db, query, some_spans, held):
    exporter = DuckDBSpanExporter(db, wait=0)
    with held(db):
        exporter.export(some_spans(2))
    child = os.fork()
    if not child:
        clean = exporter.stats == ExporterStats()
        done = exporter.export(some_spans(3)) is SUCCESS and exporter.force_flush()
        os._exit(0 if clean and done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert exporter.stats.pending == 2
    assert exporter.force_flush()
    assert count(query) == 5


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_while_another_thread_writes(db, query, some_spans):
    exporter = DuckDBSpanExporter(db, wait=20)
    stop = threading.Event()
    sent = []

    def write():
        while not stop.is_set():
            exporter.export(some_spans(5))
            sent.append(5)

    thread = threading.Thread(target=write)
    thread.start()
    statuses = []
    for _ in range(4):
        child = os.fork()
        if not child:
            os._exit(0 if exporter.export(some_spans(1)) is SUCCESS else 1)
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    stop.set()
    thread.join()
    assert exporter.force_flush()
    assert statuses == [0] * 4
    assert count(query) == sum(sent) + 4
