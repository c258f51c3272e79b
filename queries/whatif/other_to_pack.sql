-- The recorded settings of the requests whose prompts were packed by another rule, under one that is tried.
-- Grain: one row a request for which no rule is known yet (request_id), temporary.
-- Parameters: $packing, $ordering.
CREATE OR REPLACE TEMP TABLE to_try AS
SELECT
    recorded.request_id,
    recorded.ranked_ids AS ids,
    recorded.ranked_scores AS scores,
    recorded.score_kind,
    coalesce(recorded.k, len(recorded.ranked_ids)) AS k,
    recorded.budget,
    recorded.unit,
    CAST($packing AS VARCHAR) AS packing,
    CAST($ordering AS VARCHAR) AS ordering,
    recorded.snapshot_id
FROM recorded
JOIN told_rule ON told_rule.request_id = recorded.request_id
WHERE told_rule.packing IS NULL
