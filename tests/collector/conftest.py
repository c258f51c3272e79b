"""A real Collector, in front of something that takes spans.

The binary is the one of RAGFAULT_OTELCOL, or what collector/build.sh left in .cache/otelcol; without one these tests are
skipped.
"""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from collector.receiving import COMMAND_EXISTS, CommandSink, HttpSink
from collector.running import CONFIGURATIONS, Collector
from otel_ragfault import set_capture
from paths import REPOSITORY

BUILT = REPOSITORY / ".cache" / "otelcol" / "otelcol-ragfault"


@pytest.fixture(scope="session")
def otelcol():
    """The binary."""
    path = Path(os.environ.get("RAGFAULT_OTELCOL", BUILT)).absolute()
    if not os.access(path, os.X_OK):
        pytest.skip(f"no Collector at {path}; run collector/build.sh, or set RAGFAULT_OTELCOL")
    return path


@pytest.fixture
def start(otelcol, tmp_path):
    """Start a Collector with configurations of the project; it is stopped after the test."""
    with ExitStack() as stack:

        def run(*configurations, flags=(), **variables):
            folder = tmp_path / Path(configurations[0]).stem
            files = [CONFIGURATIONS / name for name in configurations]
            one = Collector(otelcol, folder, files, variables, flags=flags)
            stack.callback(one.close)
            return one.start()

        yield run


@pytest.fixture
def http_sink():
    """A receiver that remembers what it was sent. It does not listen before ``start()``."""
    sink = HttpSink()
    yield sink
    sink.close()


@pytest.fixture
def another_sink():
    sink = HttpSink()
    yield sink
    sink.close()


@pytest.fixture(params=["http", "command"])
def sink(request, tmp_path):
    """What takes the spans in the end: a receiver of these tests, or ``ragfault collect`` and its database."""
    if request.param == "command" and not COMMAND_EXISTS:
        pytest.skip("there is no command `ragfault collect` yet")
    one = HttpSink() if request.param == "http" else CommandSink(tmp_path / "collected")
    yield one
    one.close()


@pytest.fixture(autouse=True)
def _capture_as_before():
    yield
    set_capture(content=False)
