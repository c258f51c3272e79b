import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from otel_ragfault.store import connect

RECORDINGS = Path(__file__).parent / "recordings"

HOLDER = """
import sys, time, duckdb
while True:
    try:
        con = duckdb.connect(sys.argv[1])
    except duckdb.IOException:  # whoever is tested has it at this moment
        time.sleep(0.01)
    else:
        break
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def recordings():
    return RECORDINGS


@pytest.fixture
def db(tmp_path):
    return tmp_path / "spans.duckdb"


@pytest.fixture
def query(db):
    def run(sql, *parameters):
        con = connect(db, read_only=True)
        try:
            return con.execute(sql, parameters).fetchall()
        finally:
            con.close()

    return run


@pytest.fixture
def record():
    """Run a function with a tracer; return the spans that ended."""

    def run(use, resource=None):
        memory = InMemorySpanExporter()
        provider = TracerProvider(resource=resource or Resource({"service.name": "shop"}))
        provider.add_span_processor(SimpleSpanProcessor(memory))
        use(provider.get_tracer("test", "1.2"))
        return memory.get_finished_spans()

    return run


@pytest.fixture
def some_spans(record):
    """Make that many spans, each a trace of its own."""

    def make(count=1):
        return record(lambda tracer: [tracer.start_span(f"s{i}").end() for i in range(count)])

    return make


@pytest.fixture
def held():
    """Let another process hold a database, as soon as nobody else does."""

    @contextmanager
    def hold(path):
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert holder.stdout.readline() == "held\n"
            yield
        finally:
            holder.communicate(timeout=20)

    return hold


@pytest.fixture
def request_of():
    """Wrap OTLP/JSON spans into a request."""

    def wrap(*spans, resource=None):
        return {"resourceSpans": [{"resource": resource or {}, "scopeSpans": [{"spans": list(spans)}]}]}

    return wrap


@pytest.fixture
def span_of():
    """Make an OTLP/JSON span."""

    def make(number=1, **fields):
        span = {"traceId": f"{number:032x}", "spanId": f"{number:016x}", "name": "s", "startTimeUnixNano": "1000"}
        return {**span, **fields}

    return make
