"""What each measure says, on cases small enough to be checked by eye; and the traps that other tools fell into."""

import pytest

from metrics.judged import SHARES, clear, measured, put_topic
from otel_ragfault.corpus import load_corpus
from otel_ragfault.jobs.label import label_requests
from otel_ragfault.jobs.query import run_named
from otel_ragfault.model import Config
from queries.world import insert, put, put_case
from records.building import built, land, with_corpus, with_gold


@pytest.fixture
def con(memory):
    clear(memory)
    return memory


def of(con, topic="t", **choices):
    return measured(con, **choices)[topic]


def unknown(values, k):
    return {name for name in SHARES if values[name, k] is None}


def test_one_of_five_relevant_chunks_retrieved_is_no_ndcg_of_one(con):
    put_case(con, "t", "g", "h", "i", "j", "k")
    put(con, 1, "t", "x", ranked_ids=["g", "x", "y", "z", "w"])
    assert round(of(con)["ndcg", 5], 3) == 0.339


def test_a_relevant_chunk_listed_many_times_gains_once(con):
    put_case(con, "t", "g", "h")
    put(con, 1, "t", "x", ranked_ids=["g", "g", "g", "h", "g"])
    dropped, kept = of(con), of(con, repeats="keep")
    assert [dropped[name, 5] for name in ("ndcg", "precision", "recall_judged", "average_precision")] == [1, 0.4, 1, 1]
    assert kept["ndcg", 5] == pytest.approx((1 + 1 / 2.321928094887362) / (1 + 1 / 1.584962500721156))
    assert [kept[name, 5] for name in ("precision", "recall_judged", "average_precision")] == [0.4, 1, 0.75]


def test_what_a_span_lost_to_the_limit_of_attributes_is_not_known_rather_than_zero(memory_factory, tmp_path):
    con = memory_factory()
    land(con, "openinference-llama-index.top50-sdk-default")
    records = built(con)
    assert {"dropped_attributes" in record["missing"] for record in records} == {True}
    with_gold(with_corpus(con), tmp_path)
    assert label_requests(con, Config()).joined > 0
    rows = run_named(con, "request_measures").objects()
    assert {row["ranking_known"] for row in rows} == {False}
    assert [row for row in rows if any(row[name] is not None for name in SHARES)] == []
    totals = run_named(con, "measures", {"by": "all", "k": "5"}).objects()
    assert [(row["ndcg"], row["without_ranking"]) for row in totals] == [(None, len(records))] * 2


@pytest.mark.parametrize("ids", [None, ["g", None]], ids=["not recorded", "a hit without an id"])
def test_a_ranking_that_is_not_known_gives_no_measure(con, ids):
    put_case(con, "t", "g")
    put(con, 1, "t", "x", ranked_ids=ids)
    values = of(con)
    assert unknown(values, 5) == unknown(values, None) == SHARES


def test_an_empty_ranking_found_nothing(con):
    put_case(con, "t", "g")
    put(con, 1, "t", "x", ranked_ids=[])
    values = of(con)
    assert unknown(values, 5) == {"context_precision", "judged_share"}
    assert unknown(values, None) == {"context_precision", "judged_share", "precision"}
    assert {values[name, 5] for name in SHARES} == {0, None}


def test_without_anything_relevant_what_divides_by_it_is_null(con):
    put_topic(con, 1, "t", {"a": 0, "b": 0}, ["a", "x"])
    values = of(con)
    assert unknown(values, 5) == {"recall_judged", "average_precision", "ndcg", "context_precision", "recall_groups"}
    assert (values["precision", 5], values["hit", 5], values["judged_share", 5]) == (0, 0, 0.5)


def test_recall_of_groups_asks_for_any_alternative_and_recall_of_judged_chunks_for_each(con):
    put_case(con, "t", "g h i", "j")
    put(con, 1, "t", "x", ranked_ids=["h", "x", "j"])
    values = of(con)
    assert (values["recall_groups", 1], values["recall_groups", 3]) == (0.5, 1)
    assert (values["recall_judged", 1], values["recall_judged", 3]) == (0.25, 0.5)


def test_precision_divides_by_k_also_where_fewer_are_ranked(con):
    put_case(con, "t", "g")
    put(con, 1, "t", "x", ranked_ids=["g", "x"], ranking_complete=True)
    values = of(con)
    assert (values["precision", 1], values["precision", 10], values["precision", None]) == (1, 0.1, 0.5)
    assert values["known_depth", 10] is None


def test_the_length_of_a_ranking_that_may_go_on_is_told(con):
    put_case(con, "t", "g")
    put(con, 1, "t", "x", ranked_ids=["g", "x"])
    assert of(con)["known_depth", 10] == 2


def test_context_precision_divides_by_what_was_found_and_average_precision_by_what_there_is(con):
    put_case(con, "t", "g", "h", "i", "j")
    put(con, 1, "t", "x", ranked_ids=["g", "x", "h"])
    values = of(con)
    assert values["context_precision", 3] == pytest.approx((1 + 2 / 3) / 2)
    assert values["average_precision", 3] == pytest.approx((1 + 2 / 3) / 4)


def test_chunks_that_nobody_judged_count_as_not_relevant_or_are_left_out_as_declared(con):
    put_topic(con, 1, "t", {"a": 0, "b": 1}, ["x", "a", "y", "b"])
    assert of(con)["reciprocal_rank", None] == 1 / 4
    left_out = of(con, unjudged="leave_out")
    assert left_out["reciprocal_rank", None] == 1 / 2
    assert (left_out["judged_share", 1], left_out["judged_share", 3]) == (0, 1 / 3)


def test_graded_relevance_takes_the_place_of_evidence(con):
    put_case(con, "t", "g")
    con.execute("""UPDATE gold_case SET relevance = '{"h": 2, "i": 1}'""")
    put(con, 1, "t", "x", ranked_ids=["g", "h"])
    values = of(con)
    assert (values["reciprocal_rank", None], values["recall_judged", None], values["recall_groups", None]) == (
        0.5,
        0.5,
        1,
    )
    assert values["judged_share", None] == 0.5


def test_a_case_that_expects_a_refusal_has_no_judgments_and_no_measures(con):
    put_case(con, "no", expect="refuse")
    put(con, 1, "no", "x", ranked_ids=["g"])
    assert measured(con) == {}


def test_a_mean_counts_each_case_once_however_often_it_was_asked(con):
    put_case(con, "often", "g")
    put_case(con, "once", "g")
    for number in range(1, 4):
        put(con, number, "often", "x", ranked_ids=["g"])
    put(con, 4, "often", "x")
    put(con, 5, "once", "x", ranked_ids=["x"])
    (row, _) = run_named(con, "measures", {"k": "1"}).objects()
    assert (row["hit"], row["cases"], row["requests"], row["without_ranking"]) == (0.5, 2, 5, 1)


def test_hostile_ids_are_ids(con):
    hostile = "'); DROP TABLE request; --"
    put_topic(con, 1, hostile, {hostile: 1, "$.a": 1, 'q"': 1}, ["$.a", hostile, 'q"'])
    assert of(con, hostile)["ndcg", 3] == 1


def test_evidence_that_no_chunk_of_the_snapshot_holds_is_missed_by_every_recall(memory_factory, tmp_path):
    con = memory_factory()
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"chunk_id": "g", "text": "text"}\n', encoding="utf-8")
    load_corpus(con, corpus, snapshot_id="s")
    put_case(con, "t", "g")
    insert(con, "gold_evidence", case_id="t", group_no=2, member_no=1, quote="words")
    put(con, 1, "t", "x", ranked_ids=["g"], snapshot_id="s")
    assert measured(con) == {}, "the quote was not looked for: nobody knows what is relevant"
    for group_no, chunk in ((1, "g"), (2, None)):
        resolved = {"gold_group_no": group_no, "split": False, "evidence_known": True}
        row = {"snapshot_id": "s", "case_id": "t", "group_no": group_no, "member_no": 1, "chunk_id": chunk}
        insert(con, "resolved_evidence", **row, **resolved)
    values = of(con)
    assert (values["recall_judged", 5], values["recall_groups", 5], values["precision", 1]) == (0.5, 0.5, 1)
    assert values["ndcg", 5] < 1
