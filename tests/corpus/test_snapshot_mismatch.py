"""Requests that are held against a snapshot which another chunking made."""

import pytest

from corpora import put_snapshot
from jobs.spans import asked, pipeline, span, store
from otel_ragfault import semconv as s
from otel_ragfault.gold import load_gold
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.model import Config
from otel_ragfault.store import connect

OLD = [{"chunk_id": name} for name in "abcd"]
NEW = [{"chunk_id": f"new-{name}"} for name in "abcd"]


@pytest.fixture
def con(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('{"case_id": "case-1", "query": "why?", "evidence": [["a"]]}\n')
    with connect(tmp_path / "db.duckdb", create=True) as connection:
        load_gold(connection, path)
        yield connection


def warned(con, **config):
    return [line for line in label_requests(con, Config(**config)).warnings if "chunked anew" in line]


def test_a_snapshot_that_does_not_know_the_ids_is_named_with_the_one_that_does(con):
    store(con, *pipeline())
    put_snapshot(con, "old", OLD)
    assert warned(con) == []
    put_snapshot(con, "new", NEW)
    (line,) = warned(con)
    assert line == (
        "1 of 1 request without a snapshot id ranked mostly ids which snapshot 'new', against which they are "
        "held, does not know; was the corpus chunked anew since? set default_snapshot to 'old', which knows more of "
        "them, or record the snapshot with the traffic (ragfault.corpus.snapshot_id)"
    )
    assert warned(con, default_snapshot="old") == []


def test_without_the_snapshot_that_was_searched_it_is_asked_for(con):
    store(con, *pipeline())
    put_snapshot(con, "new", NEW)
    (line,) = warned(con)
    assert "load what they searched, or record" in line


def test_requests_that_name_their_snapshot_are_no_matter(con):
    _, *stages = pipeline()
    named = asked("why?") | {s.RAGFAULT_CASE_ID: "case-1", s.RAGFAULT_SNAPSHOT_ID: "old"}
    store(con, span(1, stage="request", attributes=named), *stages)
    put_snapshot(con, "old", OLD)
    put_snapshot(con, "new", NEW)
    assert warned(con) == []


def test_a_snapshot_that_knows_half_of_the_ids_is_the_right_one(con):
    store(con, *pipeline())
    put_snapshot(con, "grown", [*OLD[:2], *NEW])
    assert warned(con) == []


def test_one_odd_request_among_many_is_no_matter(con):
    odd = pipeline(10, hits=("x", "y"))
    traffic = [odd, *(pipeline(10 * number, trace=number) for number in range(2, 31))]
    store(con, *(one for spans in traffic for one in spans))
    put_snapshot(con, "old", OLD)
    assert warned(con) == []
    assert con.execute("SELECT count(*) FROM request WHERE ranked_ids = ['x', 'y']").fetchall() == [(1,)]


def test_without_a_corpus_there_is_nothing_to_hold_against(con):
    store(con, *pipeline())
    assert warned(con) == []
