import gc
import logging
import os
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import closing, suppress

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExportResult

from otel_ragfault.landing import DuckDBSpanExporter, ExporterStats
from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.landing.spool import spool_folder
from otel_ragfault.store import connect

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


def count(query):
    return query("SELECT count(*) FROM span")[0][0]


def until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


@pytest.fixture
def open_exporter(db):
    """Open exporters that load only when they are told to, and that are shut down when the test ends."""
    opened = []

    def make(path=db, **options):
        exporter = DuckDBSpanExporter(path, **{"load_every": 3600.0, **options})
        opened.append(exporter)
        return exporter

    yield make
    for exporter in opened:
        exporter.shutdown(0)


@pytest.mark.parametrize("processor", [SimpleSpanProcessor, BatchSpanProcessor])
def test_spans_of_a_pipeline_arrive(db, query, processor):
    exporter = DuckDBSpanExporter(db)
    provider = TracerProvider()
    provider.add_span_processor(processor(exporter))
    for i in range(5):
        provider.get_tracer("t").start_span(f"s{i}", attributes={"n": i}).end()
    provider.shutdown()
    assert exporter.stats == ExporterStats(exported=5, loaded=5)
    assert query("SELECT name, CAST(attributes ->> '$.n' AS INT) FROM span ORDER BY name") == [
        (f"s{i}", i) for i in range(5)
    ]
    assert query("SELECT DISTINCT source FROM segment") == [("exporter",)]
    assert spool_status(db).files == 0


def test_spans_are_durable_when_export_returns(db, open_exporter, query, some_spans):
    exporter = open_exporter()
    assert exporter.export(some_spans(3)) is SUCCESS
    assert not db.exists()
    [path] = spool_folder(db).glob("*.open")
    (spool_folder(db) / "1-1-copy.segment").write_bytes(path.read_bytes())
    load_spool(db)
    assert count(query) == 3


def test_spans_are_loaded_while_the_process_goes_on(db, open_exporter, query, some_spans):
    exporter = open_exporter(load_every=0.1)
    exporter.export(some_spans(2))
    assert until(lambda: exporter.stats.loaded == 2)
    exporter.export(some_spans(1))
    assert until(lambda: exporter.stats.loaded == 3)
    exporter.shutdown()
    assert count(query) == 3


def test_connection_of_the_same_process_is_waited_for_like_any_other(db, open_exporter, query, some_spans):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    exporter.export(some_spans(2))
    with closing(connect(db, read_only=True)):
        assert not exporter.force_flush(100)
    assert exporter.force_flush()
    assert count(query) == 3


def test_exporter_that_never_loads_leaves_it_to_others(db, query, some_spans):
    exporter = DuckDBSpanExporter(db, load_every=None)
    exporter.export(some_spans(2))
    assert exporter.force_flush()
    assert not db.exists()
    exporter.shutdown()
    assert load_spool(db).spans == 2
    assert count(query) == 2


def test_same_spans_twice_are_stored_once(open_exporter, query, some_spans):
    exporter = open_exporter()
    spans = some_spans(3)
    assert [exporter.export(spans), exporter.export(spans)] == [SUCCESS, SUCCESS]
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=6, loaded=3, duplicates=3)
    assert count(query) == 3


def test_locked_database_does_not_matter_to_an_export(db, open_exporter, query, some_spans, held, caplog):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    with held(db):
        start = time.monotonic()
        assert [exporter.export(some_spans(2)), exporter.export(some_spans(2))] == [SUCCESS, SUCCESS]
        assert time.monotonic() - start < 5
        assert not exporter.force_flush(100)
        assert not exporter.force_flush(100)
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.force_flush()
    assert (exporter.stats.exported, exporter.stats.loaded) == (6, 6)
    assert count(query) == 6
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_flush_waits_until_the_database_is_free(db, open_exporter, query, some_spans, held):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    with held(db):
        exporter.export(some_spans(2))
        flushed = []
        thread = threading.Thread(target=lambda: flushed.append(exporter.force_flush(20_000)))
        thread.start()
        time.sleep(0.2)
        assert flushed == []
    thread.join()
    assert flushed == [True]
    assert count(query) == 3


def test_flush_and_shutdown_keep_their_time_and_lose_nothing(db, open_exporter, query, some_spans, held):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    with held(db):
        exporter.export(some_spans(2))
        start = time.monotonic()
        assert not exporter.force_flush(200)
        exporter.shutdown(200)
        assert time.monotonic() - start < 3
    assert spool_status(db).sealed == 1
    assert load_spool(db).spans == 2
    assert count(query) == 3


def test_shutdown_does_not_wait_long_for_a_notebook(db, open_exporter, some_spans, held):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    with held(db):
        exporter.export(some_spans(2))
        start = time.monotonic()
        exporter.shutdown()
        assert time.monotonic() - start < 5


def test_flush_keeps_its_time_while_another_thread_loads(open_exporter):
    exporter = open_exporter()
    with exporter._background._loading:
        start = time.monotonic()
        assert not exporter.force_flush(100)
        assert time.monotonic() - start < 2


def test_nothing_is_accepted_after_shutdown(open_exporter, some_spans):
    exporter = open_exporter()
    exporter.shutdown()
    exporter.shutdown()
    assert exporter.export(some_spans(3)) is FAILURE
    assert exporter.stats.dropped == 3


def test_full_spool_refuses_and_takes_again_when_it_is_loaded(open_exporter, query, some_spans, caplog):
    exporter = open_exporter(max_spool_bytes=50_000)
    results = [exporter.export(some_spans(50)) for _ in range(20)]
    accepted = results.count(SUCCESS)
    assert results == [SUCCESS] * accepted + [FAILURE] * (20 - accepted)
    assert 0 < accepted < 20
    assert exporter.stats.dropped == 50 * (20 - accepted)
    assert exporter.stats.failed == 20 - accepted
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert exporter.force_flush()
    time.sleep(0.3)
    assert exporter.export(some_spans(1)) is SUCCESS
    exporter.force_flush()
    assert count(query) == 50 * accepted + 1


def test_path_below_a_file_fails_without_raising(tmp_path, open_exporter, some_spans, caplog):
    (tmp_path / "file").write_text("")
    exporter = open_exporter(tmp_path / "file" / "db.duckdb")
    assert [exporter.export(some_spans(1)) for _ in range(3)] == [FAILURE] * 3
    assert exporter.stats == ExporterStats(failed=3, dropped=3)
    assert len(caplog.records) == 1


def test_directory_that_appears_later_is_used(tmp_path, open_exporter, some_spans):
    exporter = open_exporter(tmp_path / "later" / "db.duckdb")
    assert exporter.export(some_spans(2)) is FAILURE
    (tmp_path / "later").mkdir()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert exporter.force_flush()
    assert exporter.stats.loaded == 1


@pytest.mark.parametrize("content", [b"not a database" * 1000, b"x"], ids=["garbage", "one byte"])
def test_file_that_is_no_database_is_left_alone_and_nothing_is_lost(db, open_exporter, query, some_spans, content):
    db.write_bytes(content)
    exporter = open_exporter()
    assert exporter.export(some_spans(1)) is SUCCESS
    assert not exporter.force_flush(100)
    assert db.read_bytes() == content
    db.unlink()
    assert exporter.force_flush()
    assert count(query) == 1


def test_span_that_is_none_is_set_aside(open_exporter, query, some_spans, caplog):
    exporter = open_exporter()
    [good] = some_spans(1)
    assert exporter.export([None, good, "x"]) is SUCCESS
    assert exporter.export([None]) is SUCCESS
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=1, unusable=3, loaded=1)
    assert count(query) == 1
    assert len(caplog.records) == 1


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a file system cannot be mounted here")
    yield disk
    gc.collect()
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def fill(path):
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


def test_full_disk_refuses_and_loses_nothing_that_was_accepted(small_disk, open_exporter, record):
    exporter = open_exporter(small_disk / "db.duckdb")
    ballast = small_disk / "ballast"
    noise = os.urandom(100_000).hex()

    def send(part):
        return exporter.export(record(lambda t: t.start_span(f"s{part}", attributes={"noise": noise}).end()))

    assert send(0) is SUCCESS
    assert exporter.force_flush()
    accepted = [0] + [part for part in range(1, 3) if send(part) is SUCCESS]
    fill(ballast)
    results = {part: send(part) for part in range(3, 8)}
    assert FAILURE in results.values()
    assert not exporter.force_flush(200)
    ballast.unlink()
    results |= {part: send(part) for part in range(8, 10)}
    assert results[9] is SUCCESS
    assert exporter.force_flush()
    accepted += [part for part, result in results.items() if result is SUCCESS]
    con = connect(small_disk / "db.duckdb", read_only=True)
    assert con.execute("SELECT name FROM span ORDER BY name").fetchall() == [(f"s{i}",) for i in sorted(accepted)]
    con.close()


def test_many_threads_lose_nothing(open_exporter, query, some_spans):
    exporter = open_exporter(load_every=0.2)
    parts = [some_spans(20) for _ in range(12)]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=240, loaded=240)
    assert count(query) == 240


def test_two_exporters_on_one_path_lose_nothing(open_exporter, query, some_spans):
    exporters = [open_exporter(load_every=0.1) for _ in range(2)]
    parts = [(exporter, some_spans(20)) for exporter in exporters * 5]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for exporter, part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(exporter.force_flush() for exporter in exporters)
    assert count(query) == 200


def test_span_that_ends_while_the_exporter_logs_is_taken_along(open_exporter, query, some_spans):
    """A log handler that is traced ends spans while the exporter logs, in the same thread."""
    exporter = open_exporter()
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


def test_forgotten_exporter_leaves_no_thread(db, some_spans):
    exporter = DuckDBSpanExporter(db, load_every=0.05)
    exporter.export(some_spans(1))
    threads = [exporter._background._thread, exporter._writer._sealer._thread]
    assert all(thread.is_alive() for thread in threads)
    del exporter
    gc.collect()
    assert until(lambda: not any(thread.is_alive() for thread in threads))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_child_of_a_fork_starts_clean_and_writes_too(db, open_exporter, query, some_spans):
    exporter = open_exporter(load_every=0.1)
    exporter.export(some_spans(2))
    child = os.fork()
    if not child:
        clean = exporter.stats == ExporterStats()
        done = exporter.export(some_spans(3)) is SUCCESS and exporter.force_flush()
        os._exit(0 if clean and done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert exporter.force_flush()
    assert count(query) == 5


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_child_that_dies_leaves_its_spans_to_the_parent(open_exporter, query, some_spans):
    exporter = open_exporter()
    child = os.fork()
    if not child:
        os._exit(0 if exporter.export(some_spans(3)) is SUCCESS else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert exporter.force_flush()
    assert count(query) == 3


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_while_other_threads_write_and_load(db, open_exporter, query, some_spans):
    exporter = open_exporter(load_every=0.01)
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


ENDS = [
    pytest.param("provider.shutdown()", id="shutdown"),
    pytest.param("pass", id="end of the script"),
    pytest.param("sys.exit(0)", id="sys.exit"),
    pytest.param("provider.force_flush(); os._exit(0)", id="flushed, no handlers run"),
]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("processor", ["SimpleSpanProcessor", "BatchSpanProcessor"])
def test_nothing_is_lost_when_a_process_ends(db, query, processor, end):
    code = f"""
        import os, sys
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import {processor}
        from otel_ragfault.landing import DuckDBSpanExporter
        provider = TracerProvider()
        provider.add_span_processor({processor}(DuckDBSpanExporter(sys.argv[1], load_every=0.05)))
        for i in range(20):
            provider.get_tracer("t").start_span(f"s{{i}}").end()
        {end}
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(db)], check=True, timeout=60)
    load_spool(db)
    assert count(query) == 20
