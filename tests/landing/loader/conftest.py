from contextlib import closing

import pytest

from otel_ragfault.landing import decode_json, to_table
from otel_ragfault.landing.spool import RecordKind, SpoolWriter, spool_folder
from otel_ragfault.store import connect


@pytest.fixture
def db(tmp_path):
    return tmp_path / "spans.duckdb"


@pytest.fixture
def folder(db):
    return spool_folder(db)


@pytest.fixture
def writer(db):
    with closing(SpoolWriter(db, source="test", segment_age=3600)) as writer:
        yield writer


@pytest.fixture
def rows():
    """Write a table of rows as the payload of a record."""
    import pyarrow as pa

    def write(table):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return sink.getvalue().to_pybytes()

    return write


@pytest.fixture
def send(writer, rows, request_of, span_of):
    """Append spans, by number or by their fields, as one record, and seal."""

    def append(*spans, seal=True):
        made = [span_of(**span) if isinstance(span, dict) else span_of(span) for span in spans]
        table = to_table(decode_json(request_of(*made)).rows)
        writer.append(RecordKind.SPAN_ROWS, rows(table), spans=len(spans))
        if seal:
            writer.seal()

    return append


@pytest.fixture
def query(db):
    def run(sql, *parameters):
        with closing(connect(db, read_only=True)) as con:
            return con.execute(sql, parameters).fetchall()

    return run


@pytest.fixture
def numbers(query):
    """The span ids in the database, sorted."""
    return lambda: [row[0] for row in query("SELECT span_id FROM span ORDER BY span_id")]
