-- How far the worst-placed required evidence is from k: what a larger k or a reranker could still reach.
-- Grain: one row a required group of a request that is beyond k or not ranked; only the worst group of a request.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
--   $limit: how many rows; default: 20.
-- Columns: `rank` is that of the best-placed alternative in the final ranking and NULL where none is in it, which comes
-- first; `distance` is rank minus k; `depth` is how many were ranked. Requests without a recorded ranking, or whose
-- ranking has hits without an id, are not rows: their ranks are not known; neither is a group named by a quote that was not
-- looked for in the snapshot of the request.
WITH placed AS (
    SELECT
        evidence_rank.request_id,
        evidence_rank.case_id,
        evidence_rank.request_run_id,
        current_label.label,
        current_label.k,
        evidence_rank.group_no,
        evidence_rank.alternatives,
        evidence_rank.rank,
        evidence_rank.depth
    FROM evidence_rank
    JOIN current_label USING (request_id)
    WHERE evidence_rank.ranked
        AND (
            CAST($request_run_id AS VARCHAR) IS NULL
            OR evidence_rank.request_run_id = CAST($request_run_id AS VARCHAR)
        )
)
SELECT
    case_id,
    group_no AS "group",
    alternatives,
    rank,
    k,
    rank - k AS distance,
    depth,
    label,
    request_run_id,
    request_id
FROM placed
WHERE rank IS NULL OR rank > k
QUALIFY row_number() OVER (PARTITION BY request_id ORDER BY rank DESC NULLS FIRST, group_no) = 1
ORDER BY distance DESC NULLS FIRST, case_id, request_id
LIMIT coalesce(CAST($limit AS INTEGER), 20);
