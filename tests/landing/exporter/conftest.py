import pytest

from otel_ragfault.landing import DuckDBSpanExporter


@pytest.fixture
def count(query):
    """How many spans the database holds."""
    return lambda: query("SELECT count(*) FROM span")[0][0]


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
