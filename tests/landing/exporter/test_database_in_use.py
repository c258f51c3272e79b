"""Somebody else holds the database: spans wait, and nobody waits long for them."""

import logging
import threading
import time
from contextlib import closing

from opentelemetry.sdk.trace.export import SpanExportResult

from landing.exporter.waiting import until
from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.store import connect

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


def test_connection_of_the_same_process_is_waited_for_like_any_other(db, open_exporter, count, some_spans):
    exporter = open_exporter()
    exporter.export(some_spans(1))
    exporter.force_flush()
    exporter.export(some_spans(2))
    with closing(connect(db, read_only=True)):
        assert not exporter.force_flush(100)
    assert exporter.force_flush()
    assert count() == 3


def test_locked_database_does_not_matter_to_an_export(db, open_exporter, count, some_spans, held, caplog):
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
    assert count() == 6
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_flush_waits_until_the_database_is_free(db, open_exporter, count, some_spans, held):
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
    assert count() == 3


def test_flush_and_shutdown_keep_their_time_and_lose_nothing(db, open_exporter, count, some_spans, held):
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
    assert count() == 3


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


def test_shutdown_does_not_wait_for_a_load_that_waits_itself(db, open_exporter, some_spans, held):
    every = 8.0  # seconds between loads, and for which one waits
    exporter = open_exporter(load_every=every)
    exporter.export(some_spans(1))
    assert exporter.force_flush()
    with held(db):
        exporter.export(some_spans(2))
        assert until(exporter._background._loading.locked)
        start = time.monotonic()
        exporter.shutdown()
        assert time.monotonic() - start < every - 2
    assert load_spool(db).spans == 2
