"""Rankings of a request: several retrievals, reranking, k."""

from jobs.spans import asked, built, pipeline, ranking, span
from otel_ragfault import semconv as s


def test_parallel_retrievals_are_merged_by_best_rank_and_k_counts_what_was_within_any_k(con):
    hybrid = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking(("a", 9.0), ("b", 8.0), ("c", 7.0), k=2)),
        span(3, 1, stage="retrieval", attributes=ranking(("b", 0.9), ("d", 0.8), ("a", 0.7), k=2)),
    ]
    (request,) = built(con, *hybrid)
    assert request["ranked_ids"] == ["a", "b", "d", "c"]
    assert request["ranked_scores"] == [9.0, 0.9, 0.8, 7.0]
    assert request["k"] == 3
    assert request["score_kind"] is None


def test_one_retrieval_that_was_not_recorded_makes_the_merged_ranking_unknown_not_shorter(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking("a")),
        span(3, 1, stage="retrieval"),
    ]
    (request,) = built(con, *rows)
    assert request["ranked_ids"] is None
    assert "ranking" in request["missing"]


def test_a_retrieval_inside_a_retrieval_does_not_count_twice(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", attributes=ranking("a", "b")),
        span(3, 2, stage="retrieval", attributes=ranking("x", "y")),
    ]
    (request,) = built(con, *rows)
    assert request["ranked_ids"] == ["a", "b"]


def test_a_retried_retrieval_counts_once(con):
    rows = [
        span(1, stage="request"),
        span(2, 1, stage="retrieval", failed=True),
        span(3, 1, stage="retrieval", attributes=ranking("a")),
    ]
    (request,) = built(con, *rows)
    assert (request["ranked_ids"], request["error_stage"]) == (["a"], None)


def test_recorded_order_is_the_rank_and_hits_without_id_and_doubles_keep_their_place(con):
    hits = [("b", 0.1), (None, 0.9), ("b", 0.5), ("a", None)]
    (request,) = built(con, span(1, stage="retrieval", attributes=ranking(*hits)))
    assert request["ranked_ids"] == ["b", None, "b", "a"]
    assert request["ranked_scores"] == [0.1, 0.9, 0.5, None]


def test_an_empty_ranking_is_recorded_and_a_missing_one_is_not(con):
    empty, missing = built(
        con,
        span(1, stage="retrieval", attributes=ranking()),
        span(2, stage="retrieval", trace=2),
    )
    assert (empty["ranked_ids"], missing["ranked_ids"]) == ([], None)
    assert "ranking" not in empty["missing"]


def test_reranking_keeps_the_first_stage_as_candidates(con):
    rows = pipeline(hits=(("a", 2.0), ("b", 1.0)))
    rows.insert(2, span(9, 1, stage="rerank", attributes=ranking("b", "a", k=1)))
    (request,) = built(con, *rows)
    assert (request["candidate_ids"], request["candidate_scores"]) == (["a", "b"], [2.0, 1.0])
    assert (request["ranked_ids"], request["ranked_scores"], request["k"]) == (["b", "a"], [None, None], 1)


def test_k_of_the_first_stage_is_not_k_after_reranking(con):
    rows = [span(1, stage="request"), span(2, 1, stage="retrieval", attributes=ranking("a", "b", k=30))]
    (request,) = built(con, *rows, span(3, 1, stage="rerank", attributes=ranking("b", "a")))
    assert request["k"] is None


def test_an_unknown_k_of_one_retrieval_makes_the_merged_k_unknown(con):
    rows = [span(1, stage="request"), span(2, 1, stage="retrieval", attributes=ranking("a"))]
    (request,) = built(con, *rows, span(3, 1, stage="retrieval", attributes=ranking("x", "y", k=2)))
    assert request["k"] is None


def test_every_search_of_a_request_is_kept(con):
    rows = [span(1, stage="request", attributes=asked("apples or pears?"))]
    for number, text in ((2, "apple"), (3, "pear")):
        said = ranking("a") | {s.GEN_AI_RETRIEVAL_QUERY_TEXT: text}
        rows.append(span(number, 1, stage="retrieval", attributes=said))
    (request,) = built(con, *rows)
    assert (request["query"], request["retrieval_query"]) == ("apples or pears?", "apple\npear")
