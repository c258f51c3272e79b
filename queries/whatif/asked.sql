-- The setting that is tried, for each request: which ranking it takes from, how many of it, and whether that is known.
-- Grain: one row a joined request (request_id), temporary.
-- Parameters: $k, $budget, $unit, $packing, $ordering (each NULL: as recorded), $floor (NULL: none), $rerank (FALSE: the
-- ranking before reranking takes the place of the final one; NULL: as recorded).
-- The floor looks at the scores of the first stage. What is below it goes behind everything that is kept, in both rankings,
-- and at most as many are passed on as are kept: `passed`. So a chunk below the floor is beyond the cutoff.
-- `beyond`: more is asked for than was recorded of a ranking that is not known to be whole, and that has not fallen below
-- the floor at its end; what stands there is not known. A recorded k of more than there was shows the end of the ranking.
CREATE OR REPLACE TEMP TABLE asked AS
WITH chosen AS (
    SELECT
        recorded.*,
        recorded.has_rerank AND coalesce(CAST($rerank AS BOOLEAN), TRUE) AS reranked,
        NOT recorded.has_rerank OR coalesce(CAST($rerank AS BOOLEAN), TRUE) AS final
    FROM recorded
),
ranking AS (
    SELECT
        chosen.request_id,
        chosen.snapshot_id,
        chosen.reranked,
        CASE WHEN chosen.final THEN chosen.ranked_ids ELSE chosen.candidate_ids END AS ids,
        CASE WHEN chosen.final THEN chosen.ranked_scores ELSE chosen.candidate_scores END AS scores,
        CASE WHEN chosen.final THEN chosen.score_kind ELSE chosen.candidate_score_kind END AS score_kind,
        CASE WHEN chosen.reranked THEN chosen.candidate_ids END AS candidate_ids,
        CASE WHEN chosen.reranked THEN chosen.candidate_scores END AS candidate_scores,
        CASE WHEN chosen.final THEN chosen.whole ELSE chosen.first_whole END AS whole,
        CASE WHEN chosen.final THEN coalesce(chosen.k, 0) ELSE 0 END AS looked,
        CASE WHEN chosen.has_rerank THEN chosen.candidate_score_kind ELSE chosen.score_kind END AS first_kind,
        coalesce(CAST($k AS BIGINT), chosen.k) AS k,
        coalesce(CAST($budget AS BIGINT), chosen.budget) AS budget,
        coalesce(CAST($unit AS VARCHAR), chosen.unit) AS unit,
        coalesce(CAST($packing AS VARCHAR), chosen.packing) AS packing,
        coalesce(CAST($ordering AS VARCHAR), chosen.ordering) AS ordering,
        chosen.k AS recorded_k,
        chosen.budget AS recorded_budget,
        chosen.unit AS recorded_unit,
        chosen.packing AS recorded_packing,
        chosen.ordering AS recorded_ordering,
        chosen.final
    FROM chosen
),
scored AS (
    SELECT
        ranking.*,
        CASE
            WHEN CAST($floor AS DOUBLE) IS NULL THEN NULL
            WHEN ranking.first_kind IS DISTINCT FROM 'bm25' AND ranking.first_kind IS DISTINCT FROM 'similarity' THEN NULL
            WHEN ranking.reranked THEN list_transform(
                ranking.ids,
                lambda id: CASE
                    WHEN id IS NOT NULL
                    THEN element_at_rank(ranking.candidate_scores, nullif(array_position(ranking.candidate_ids, id), 0))
                END
            )
            ELSE ranking.scores
        END AS first_scores
    FROM ranking
),
floored AS (
    SELECT
        scored.*,
        CASE
            WHEN list_count(scored.first_scores) = len(scored.ids)
            THEN list_filter(
                generate_series(1, len(scored.ids)), lambda rank: scored.first_scores[rank] >= CAST($floor AS DOUBLE)
            )
        END AS kept,
        CASE
            WHEN list_count(scored.first_scores) = len(scored.ids)
            THEN list_filter(
                generate_series(1, len(scored.ids)), lambda rank: scored.first_scores[rank] < CAST($floor AS DOUBLE)
            )
        END AS left_out,
        NOT scored.reranked
            AND coalesce(scored.first_scores = list_reverse_sort(scored.first_scores), FALSE)
            AND coalesce(scored.first_scores[-1] < CAST($floor AS DOUBLE), FALSE) AS ended
    FROM scored
)
SELECT
    request_id,
    snapshot_id,
    reranked,
    k,
    budget,
    unit,
    packing,
    ordering,
    score_kind,
    CASE
        WHEN CAST($floor AS DOUBLE) IS NULL THEN ids
        WHEN kept IS NOT NULL THEN list_transform(list_concat(kept, left_out), lambda rank: ids[rank])
    END AS ids,
    CASE
        WHEN kept IS NULL THEN scores
        ELSE list_transform(list_concat(kept, left_out), lambda rank: scores[rank])
    END AS scores,
    CASE
        WHEN kept IS NULL THEN candidate_ids
        ELSE list_concat(
            list_filter(candidate_ids, lambda id, rank: candidate_scores[rank] >= CAST($floor AS DOUBLE)),
            list_filter(
                candidate_ids, lambda id, rank: coalesce(candidate_scores[rank] < CAST($floor AS DOUBLE), TRUE)
            )
        )
    END AS candidate_ids,
    CASE
        WHEN kept IS NULL THEN candidate_scores
        ELSE list_concat(
            list_filter(candidate_scores, lambda score: score >= CAST($floor AS DOUBLE)),
            list_filter(candidate_scores, lambda score: coalesce(score < CAST($floor AS DOUBLE), TRUE))
        )
    END AS candidate_scores,
    CASE WHEN kept IS NULL THEN k ELSE least(coalesce(k, len(kept)), len(kept)) END AS passed,
    final
        AND CAST($floor AS DOUBLE) IS NULL
        AND k IS NOT DISTINCT FROM recorded_k
        AND budget IS NOT DISTINCT FROM recorded_budget
        AND (budget IS NULL OR (unit = recorded_unit AND packing = recorded_packing))
        AND ordering = recorded_ordering AS as_recorded,
    NOT whole AND coalesce(
        k > CASE
            WHEN CAST($floor AS DOUBLE) IS NULL THEN greatest(len(ids), looked)
            WHEN ended THEN k
            WHEN len(ids) < looked THEN looked
            ELSE len(kept)
        END,
        FALSE
    ) AS beyond,
    CASE
        WHEN NOT final AND ids IS NULL THEN 'the ranking before reranking is not recorded'
        WHEN ids IS NULL THEN NULL
        WHEN CAST($floor AS DOUBLE) IS NULL OR kept IS NOT NULL THEN NULL
        WHEN first_kind = 'distance'
        THEN 'the scores are distances: record similarities (such as 1 - distance) for a floor'
        WHEN first_kind IS NULL THEN 'what kind of score was recorded is not known, and a floor needs similarities or BM25 scores'
        ELSE 'the score of a ranked chunk is not recorded'
    END AS unreadable
FROM floored
