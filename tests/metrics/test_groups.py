"""Requests are compared by run, tag, prompt version, retriever, service, snapshot and day."""

from datetime import timedelta
from uuid import UUID

import pytest

from metrics.judged import clear
from otel_ragfault.errors import NothingJoinedError
from otel_ragfault.jobs.measure_names import DIMENSIONS, MEASURES
from otel_ragfault.jobs.measures import measure, selected
from otel_ragfault.jobs.query import run_named
from otel_ragfault.model import Config
from queries.world import NOON, insert, put, put_case

AT_1 = Config(measure_cutoffs=(1,))


@pytest.fixture
def con(memory):
    clear(memory)
    memory.execute("DELETE FROM span")
    put_case(memory, "a", "g", tags=["old", "tables"])
    put_case(memory, "b", "g")
    found = {
        "ranked_ids": ["g", "x"],
        "service": "web",
        "prompt_version": "2",
        "prompt_name": "ask",
        "snapshot_id": "s",
    }
    put(memory, 1, "a", "x", run_id="r1", ended_at=NOON + timedelta(seconds=2), **found)
    put(memory, 2, "b", "x", run_id="r1", ended_at=NOON, ranked_ids=["x"], service="batch", prompt_version="2")
    put(memory, 3, "a", "x", run_id="r2", ranked_ids=["x"], started_at=NOON - timedelta(days=1))
    searches = [("docs", 0), ("faq", 1), ("docs", 1), ("later", 60)]
    for number, (source, seconds) in enumerate(searches):
        span(memory, number, f'{{"gen_ai.data_source.id": "{source}"}}', seconds)
    return memory


def span(con, number, attributes, seconds):
    row = {"trace_id": UUID(int=1), "span_id": number, "name": "search", "kind": 1, "status_code": 0}
    dropped = dict.fromkeys(("dropped_attributes_count", "dropped_events_count", "dropped_links_count"), 0)
    at = {"start_time": NOON + timedelta(seconds=seconds), "segment_id": UUID(int=9)}
    insert(con, "span", attributes=attributes, **row, **dropped, **at)


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        ("all", {"all": 1 / 4}),
        ("run", {"r1": 1 / 2, "r2": 0}),
        ("tag", {"old": 1 / 2, "tables": 1 / 2, None: 0}),
        ("prompt_version", {"ask 2": 1, "2": 0, None: 0}),
        ("retriever", {"docs + faq": 1, "batch": 0, None: 0}),
        ("service", {"web": 1, "batch": 0, None: 0}),
        ("snapshot", {"s": 1, None: 0}),
        ("day", {"2026-01-31": 1 / 2, "2026-01-30": 0}),
    ],
)
def test_means_of_each_group(con, by, wanted):
    rows = run_named(con, "measures", {"by": by, "k": "1"}).objects()
    assert {row["group"]: row["hit"] for row in rows if row["k"] == 1} == wanted
    measured = [row for row in measure(con, AT_1, by=by) if (row.measure, row.k) == ("hit", 1)]
    assert {row.group: row.mean for row in measured} == wanted


def test_every_dimension_that_is_offered_is_one_of_the_view(con):
    found = con.execute("SELECT DISTINCT dimension FROM request_group").fetchall()
    assert {dimension for (dimension,) in found} == set(DIMENSIONS)


def test_means_of_the_job_are_those_of_the_query(con):
    names = dict.fromkeys(MEASURES)
    for row in run_named(con, "measures", {"by": "run", "k": "1,3"}).objects():
        job = measure(con, Config(measure_cutoffs=(1, 3)))
        mine = {one.measure: one for one in job if (one.group, one.k) == (row["group"], row["k"])}
        assert set(mine) == set(names)
        assert {name: one.mean for name, one in mine.items()} == {name: row[name] for name in names}
        for one in mine.values():
            told = (one.requests, one.without_ranking, one.unjudged_share, one.known_depth)
            assert told == (row["requests"], row["without_ranking"], row["unjudged_share"], row["known_depth"])


def test_a_group_has_the_interval_that_it_has_alone(con):
    together = measure(con, AT_1)
    con.execute("DELETE FROM label WHERE request_id = ?", [UUID(int=3)])
    alone = measure(con, AT_1)
    assert [row for row in together if row.group == "r1"] == alone


def test_rows_are_a_measure_at_a_time_within_their_group(con):
    rows = selected(measure(con, Config(measure_cutoffs=(1, 3))), ["mrr", "hit"])
    wanted = [(name, k) for name in ("hit", "mrr") for k in (1, 3, None)]
    assert [(row.group, row.measure, row.k) for row in rows] == [(run, *one) for run in ("r1", "r2") for one in wanted]


def test_without_anything_to_measure_it_says_what_is_wanted(con):
    con.execute("DELETE FROM label")
    with pytest.raises(NothingJoinedError, match="run ragfault gold load, then ragfault label"):
        measure(con, Config())
