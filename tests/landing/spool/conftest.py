import pytest

from otel_ragfault.landing.spool import SpoolWriter, spool_folder
from otel_ragfault.landing.spool.segment import read_segment


@pytest.fixture
def db(tmp_path):
    return tmp_path / "spans.duckdb"


@pytest.fixture
def folder(db):
    return spool_folder(db)


@pytest.fixture
def open_writer(db):
    """Open writers that are closed when the test ends; they do not seal by age unless told to."""
    opened = []

    def make(**options):
        writer = SpoolWriter(db, source="test", **{"segment_age": 3600.0, **options})
        opened.append(writer)
        return writer

    yield make
    for writer in opened:
        writer.close()


@pytest.fixture
def payloads(folder):
    """Read the payloads of every segment in the folder, sealed or not, in order."""

    def read(pattern="*"):
        found = []
        for path in sorted(folder.glob(f"{pattern}.open")) + sorted(folder.glob(f"{pattern}.segment")):
            found += [bytes(record.payload) for record in read_segment(path).records]
        return found

    return read
