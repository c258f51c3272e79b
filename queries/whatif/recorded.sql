-- What was recorded of each request that is replayed: the setting, and the rankings on either side of a rerank stage.
-- Grain: one row a joined request (request_id), temporary.
-- Parameters: $default_k stands in where no k is recorded; $default_snapshot is the snapshot of requests that name none;
-- $packing and $ordering, by which rules assembly packs and orders.
-- `whole`: the final ranking holds all that was ranked; `first_whole`: so does the ranking before reranking.
CREATE OR REPLACE TEMP TABLE recorded AS
SELECT
    request.request_id,
    request.has_rerank,
    request.ranked_ids,
    request.ranked_scores,
    request.score_kind,
    request.candidate_ids,
    request.candidate_scores,
    request.candidate_score_kind,
    request.prompt_ids,
    coalesce(request.k, CAST($default_k AS BIGINT)) AS k,
    request.budget,
    coalesce(request.budget_unit, 'words') AS unit,
    CAST($packing AS VARCHAR) AS packing,
    CAST($ordering AS VARCHAR) AS ordering,
    coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
    coalesce(request.ranking_complete, FALSE) AS first_whole,
    coalesce(request.ranking_complete, FALSE)
        AND (NOT request.has_rerank OR coalesce(len(request.ranked_ids) >= len(request.candidate_ids), FALSE)) AS whole,
    coalesce(list_contains(request.missing, 'dropped_attributes'), FALSE) AS attributes_were_dropped
FROM request
SEMI JOIN chosen ON chosen.request_id = request.request_id
