import uuid

import pytest

from otel_ragfault.landing import SPAN_SCHEMA, Landed, decode_json, land, to_table
from otel_ragfault.store import connect


@pytest.fixture
def con(db):
    con = connect(db, create=True)
    yield con
    con.close()


@pytest.fixture
def batch(request_of, span_of):
    def make(*spans):
        return to_table(
            decode_json(request_of(*(span_of(**s) if isinstance(s, dict) else span_of(s) for s in spans))).rows
        )

    return make


def stored(con, sql="SELECT span_id FROM span ORDER BY span_id"):
    return [row[0] for row in con.execute(sql).fetchall()]


def test_every_column_of_the_table_is_in_the_schema(con):
    columns = [row[0] for row in con.execute("DESCRIBE span").fetchall()]
    assert [*SPAN_SCHEMA.names, "segment_id"] == columns


def test_batch_and_ledger_are_stored_together(con, batch):
    assert land(con, batch(1, 2), source="exporter") == Landed(2, 0)
    [(segment, source, spans, duplicates, built)] = con.execute(
        "SELECT segment_id, source, spans, duplicates, built FROM segment"
    ).fetchall()
    assert (source, spans, duplicates, built) == ("exporter", 2, 0, False)
    assert stored(con, "SELECT DISTINCT segment_id FROM span") == [segment]


def test_values_arrive_with_their_types(con, batch):
    land(con, batch({"traceId": "f0" * 16, "spanId": "f" * 16, "startTimeUnixNano": str(2**63 - 2)}), source="x")
    assert con.execute(
        "SELECT trace_hex(trace_id), span_hex(span_id), epoch_ns(start_time), trace_id FROM span"
    ).fetchall() == [("f0" * 16, "f" * 16, 2**63 - 2, uuid.UUID("f0" * 16))]


def test_spans_sent_again_are_dropped_and_counted(con, batch):
    land(con, batch(1, 2), source="x")
    assert land(con, batch(2, 3), source="x") == Landed(1, 1)
    assert land(con, batch(1, 2, 3), source="x") == Landed(0, 3)
    assert stored(con) == [1, 2, 3]
    assert stored(con, "SELECT built FROM segment ORDER BY spans") == [True, False, False]


def test_first_of_two_in_one_batch_stays(con, batch):
    twice = batch({"number": 1, "name": "first"}, 2, {"number": 1, "name": "second"}, {"number": 1, "name": "third"})
    assert land(con, twice, source="x") == Landed(2, 2)
    assert stored(con, "SELECT name FROM span WHERE span_id = 1") == ["first"]


def test_spans_without_a_start_are_not_doubled(con, batch):
    timeless = {"number": 1, "startTimeUnixNano": "0"}
    assert land(con, batch(timeless, 2), source="x") == Landed(2, 0)
    assert land(con, batch(timeless), source="x") == Landed(0, 1)
    assert land(con, batch(2), source="x") == Landed(0, 1)
    assert land(con, batch(timeless, 2), source="x") == Landed(0, 2)


def test_same_span_id_in_another_trace_is_another_span(con, batch):
    other = {"traceId": "a" * 32, "spanId": f"{1:016x}"}
    assert land(con, batch(1, other), source="x") == Landed(2, 0)


def test_empty_batch_leaves_no_trace(con):
    assert land(con, SPAN_SCHEMA.empty_table(), source="x") == Landed()
    assert stored(con, "SELECT count(*) FROM segment") == [0]


def test_connection_with_an_unfinished_result_is_no_obstacle(con, batch):
    con.execute("SELECT * FROM range(10)").fetchone()
    assert land(con, batch(1), source="x") == Landed(1)


def test_source_is_bound_not_pasted(con, batch):
    hostile = "import:'); DROP TABLE span; --"
    land(con, batch(1), source=hostile)
    assert stored(con, "SELECT source FROM segment") == [hostile]


def test_failure_stores_nothing(con, batch):
    table = batch(1, 2)
    broken = table.set_column(table.column_names.index("attributes"), "attributes", [["{}", "{not json"]])
    with pytest.raises(Exception, match="JSON"):
        land(con, broken, source="x")
    assert stored(con) == []
    assert stored(con, "SELECT count(*) FROM segment") == [0]
    assert land(con, table, source="x") == Landed(2)
