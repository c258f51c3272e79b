import pytest

from otel_ragfault.errors import DatabaseError
from otel_ragfault.landing import Landed, SpanSink, SpoolSink, decode_json, to_table
from otel_ragfault.landing.loader import is_busy


@pytest.fixture
def batch(request_of, span_of):
    return to_table(decode_json(request_of(*(span_of(i) for i in range(1, 8)))).rows)


def with_attributes(batch, number, text):
    column = batch["attributes"].to_pylist()
    column[number] = text
    return batch.set_column(batch.column_names.index("attributes"), "attributes", [column])


def test_database_is_created_and_closed_again(db, query, batch):
    sink: SpanSink = SpoolSink(db)
    assert sink.write(batch, source="x") == Landed(7)
    assert query("SELECT count(*) FROM span") == [(7,)]


@pytest.mark.parametrize("number", [0, 3, 6])
def test_span_that_the_database_refuses_does_not_cost_the_others(db, query, batch, number):
    assert SpoolSink(db).write(with_attributes(batch, number, "{broken"), source="x") == Landed(6, 0, 1)
    assert query("SELECT count(*), sum(spans) FROM span, (SELECT sum(spans) AS spans FROM segment)")[0][0] == 6


def test_empty_batch_does_not_even_open_the_database(db, batch):
    assert SpoolSink(db).write(batch.slice(0, 0), source="x") == Landed()
    assert not db.exists()


def test_database_in_use_is_told_from_one_that_cannot_be_opened(db, tmp_path, batch, held):
    with held(db), pytest.raises(DatabaseError) as caught:
        SpoolSink(db).write(batch, source="x", wait=0.05)
    assert is_busy(caught.value)
    with pytest.raises(DatabaseError) as caught:
        SpoolSink(tmp_path / "absent" / "db").write(batch, source="x", wait=5)
    assert not is_busy(caught.value)
