"""From ended spans to rows."""

import gc
import logging
import threading

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor, SpanExportResult

from landing.exporter.waiting import until
from otel_ragfault.landing import DuckDBSpanExporter, ExporterStats
from otel_ragfault.landing.loader import load_spool, spool_status
from otel_ragfault.landing.spool import spool_folder

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


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


def test_spans_are_durable_when_export_returns(db, open_exporter, count, some_spans):
    exporter = open_exporter()
    assert exporter.export(some_spans(3)) is SUCCESS
    assert not db.exists()
    [path] = spool_folder(db).glob("*.open")
    (spool_folder(db) / "1-1-copy.segment").write_bytes(path.read_bytes())
    load_spool(db)
    assert count() == 3


def test_spans_are_loaded_while_the_process_goes_on(db, open_exporter, count, some_spans):
    exporter = open_exporter(load_every=0.1)
    exporter.export(some_spans(2))
    assert until(lambda: exporter.stats.loaded == 2)
    exporter.export(some_spans(1))
    assert until(lambda: exporter.stats.loaded == 3)
    exporter.shutdown()
    assert count() == 3


def test_exporter_that_never_loads_leaves_it_to_others(db, count, some_spans):
    exporter = DuckDBSpanExporter(db, load_every=None)
    exporter.export(some_spans(2))
    assert exporter.force_flush()
    assert not db.exists()
    exporter.shutdown()
    assert load_spool(db).spans == 2
    assert count() == 2


def test_same_spans_twice_are_stored_once(open_exporter, count, some_spans):
    exporter = open_exporter()
    spans = some_spans(3)
    assert [exporter.export(spans), exporter.export(spans)] == [SUCCESS, SUCCESS]
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=6, loaded=3, duplicates=3)
    assert count() == 3


def test_nothing_is_accepted_after_shutdown(open_exporter, some_spans):
    exporter = open_exporter()
    exporter.shutdown()
    exporter.shutdown()
    assert exporter.export(some_spans(3)) is FAILURE
    assert exporter.stats.dropped == 3


def test_span_that_is_none_is_set_aside(open_exporter, query, count, some_spans, caplog):
    exporter = open_exporter()
    [good] = some_spans(1)
    assert exporter.export([None, good, "x"]) is SUCCESS
    assert exporter.export([None]) is SUCCESS
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=1, unusable=3, loaded=1)
    assert count() == 1
    assert len(caplog.records) == 1
    reasons = query("SELECT reason, CAST(sum(spans) AS INT) FROM rejected_span GROUP BY reason ORDER BY reason")
    assert reasons == [("not a span of the SDK (AttributeError)", 3)]
    assert query("SELECT CAST(sum(rejected) AS INT) FROM segment") == [(3,)]


def test_spans_that_cannot_become_rows_are_counted_even_when_no_other_was_exported(open_exporter, query):
    exporter = open_exporter()
    assert exporter.export([object()]) is SUCCESS
    assert exporter.force_flush()
    assert query("SELECT CAST(spans AS INT) FROM rejected_span") == [(1,)]


def test_many_threads_lose_nothing(open_exporter, count, some_spans):
    exporter = open_exporter(load_every=0.2)
    parts = [some_spans(20) for _ in range(12)]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert exporter.force_flush()
    assert exporter.stats == ExporterStats(exported=240, loaded=240)
    assert count() == 240


def test_two_exporters_on_one_path_lose_nothing(open_exporter, count, some_spans):
    exporters = [open_exporter(load_every=0.1) for _ in range(2)]
    parts = [(exporter, some_spans(20)) for exporter in exporters * 5]
    threads = [threading.Thread(target=exporter.export, args=(part,)) for exporter, part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(exporter.force_flush() for exporter in exporters)
    assert count() == 200


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
