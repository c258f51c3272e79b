"""Forks, and every way in which a process ends."""

import os
import subprocess
import sys
import textwrap
import threading

import pytest
from opentelemetry.sdk.trace.export import SpanExportResult

from otel_ragfault.landing import ExporterStats
from otel_ragfault.landing.loader import load_spool

SUCCESS, FAILURE = SpanExportResult.SUCCESS, SpanExportResult.FAILURE


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_child_of_a_fork_starts_clean_and_writes_too(db, open_exporter, count, some_spans):
    exporter = open_exporter(load_every=0.1)
    exporter.export(some_spans(2))
    child = os.fork()
    if not child:
        clean = exporter.stats == ExporterStats()
        done = exporter.export(some_spans(3)) is SUCCESS and exporter.force_flush()
        os._exit(0 if clean and done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert exporter.force_flush()
    assert count() == 5


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_child_that_dies_leaves_its_spans_to_the_parent(open_exporter, count, some_spans):
    exporter = open_exporter()
    child = os.fork()
    if not child:
        os._exit(0 if exporter.export(some_spans(3)) is SUCCESS else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert exporter.force_flush()
    assert count() == 3


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_fork_while_other_threads_write_and_load(db, open_exporter, count, some_spans):
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
    assert count() == sum(sent) + 4


ENDS = [
    pytest.param("provider.shutdown()", id="shutdown"),
    pytest.param("pass", id="end of the script"),
    pytest.param("sys.exit(0)", id="sys.exit"),
    pytest.param("provider.force_flush(); os._exit(0)", id="flushed, no handlers run"),
]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("processor", ["SimpleSpanProcessor", "BatchSpanProcessor"])
def test_nothing_is_lost_when_a_process_ends(db, count, processor, end):
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
    assert count() == 20
