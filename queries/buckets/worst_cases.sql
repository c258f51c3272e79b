-- How far the worst-placed required evidence is from k: what a larger k or a reranker could still reach.
-- Grain: one row a required group of a request that is beyond k or not ranked; only the worst group of a request.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
--   $limit: how many rows; default: 20.
-- Columns: `rank` is that of the best-placed alternative in the final ranking and NULL where none is in it, which comes
-- first; `distance` is rank minus k; `depth` is how many were ranked. Requests without a recorded ranking, or whose
-- ranking has hits without an id, are not rows: their ranks are not known.
WITH required AS (
    SELECT case_id, group_no, list(chunk_id ORDER BY member_no) AS alternatives
    FROM gold_evidence
    GROUP BY case_id, group_no
),
placed AS (
    SELECT
        current_label.request_id,
        current_label.case_id,
        current_label.request_run_id,
        current_label.label,
        current_label.k,
        required.group_no,
        required.alternatives,
        list_min(list_transform(
            required.alternatives, lambda id: nullif(array_position(request.ranked_ids, id), 0)
        )) AS rank,
        len(request.ranked_ids) AS depth
    FROM current_label
    JOIN request USING (request_id)
    JOIN required ON required.case_id = current_label.case_id
    WHERE len(list_filter(request.ranked_ids, lambda id: id IS NULL)) = 0
        AND (
            CAST($request_run_id AS VARCHAR) IS NULL
            OR current_label.request_run_id = CAST($request_run_id AS VARCHAR)
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
