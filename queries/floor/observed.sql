-- The first-stage ranking of each request that has gold: what a floor is calibrated from.
-- Grain: one row a joined request (request_id), temporary.
-- Parameters: $default_snapshot is the snapshot of requests that name none.
-- `group_value` is what requests are told apart by (the relation grouped); NULL where it is not named. `unusable` is NULL
-- for what can be used, else the reason why not.
CREATE OR REPLACE TEMP TABLE observed AS
WITH first AS (
    SELECT
        request.request_id,
        joined.case_id,
        gold_case.expect,
        request.run_id,
        CASE WHEN request.has_rerank THEN request.candidate_ids ELSE request.ranked_ids END AS ids,
        CASE WHEN request.has_rerank THEN request.candidate_scores ELSE request.ranked_scores END AS scores,
        CASE WHEN request.has_rerank THEN request.candidate_score_kind ELSE request.score_kind END AS score_kind,
        coalesce(request.id_source IN ('foreign', 'text_match_partly'), FALSE) AS ids_are_foreign,
        coalesce(corpus_snapshot.snapshot_id, '') AS snapshot_id,
        grouped.group_value
    FROM request
    JOIN joined ON joined.request_id = request.request_id
    JOIN gold_case ON gold_case.case_id = joined.case_id
    LEFT JOIN grouped ON grouped.request_id = request.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR))
),
unresolved AS (
    SELECT DISTINCT snapshot_id, case_id
    FROM required_evidence
    WHERE NOT evidence_known
)
SELECT
    first.*,
    CASE
        WHEN first.expect = 'clarify' THEN 'a question back is expected'
        WHEN first.ids IS NULL OR len(first.ids) = 0 THEN 'no ranking'
        WHEN first.score_kind IS NULL THEN 'what kind of score it is, is not recorded'
        WHEN first.score_kind <> 'similarity' THEN first.score_kind
        WHEN list_count(first.scores) = 0 OR first.scores IS NULL THEN 'no scores'
        WHEN first.ids_are_foreign THEN 'ids that are none of the index'
        WHEN unresolved.case_id IS NOT NULL THEN 'evidence by a quote that was not looked for'
    END AS unusable
FROM first
LEFT JOIN unresolved ON unresolved.snapshot_id = first.snapshot_id AND unresolved.case_id = first.case_id
