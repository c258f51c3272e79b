-- The earliest stop of each request over its required groups, with what was seen of every group that did not pass.
-- Grain: one row a joined request (request_id).
SELECT
    request_id,
    min(stop) AS stop,
    any_value(outcome) AS outcome,
    any_value(judged_right) AS correct,
    any_value(grounded) AS grounded,
    any_value(k) AS k,
    any_value(depth) AS depth,
    -- Over the groups FALSE wins over not known, and not known over TRUE.
    nullif(min(CASE WHEN group_retrieved THEN 2 WHEN NOT group_retrieved THEN 0 ELSE 1 END), 1) = 2 AS retrieved,
    nullif(min(CASE WHEN group_cited THEN 2 WHEN NOT group_cited THEN 0 ELSE 1 END), 1) = 2 AS cited,
    -- The groups that have no member in the prompt, or a cut one, and beside them where each stopped.
    list(struct_pack(
        "group" := group_no,
        rank := final_rank,
        candidate_rank := candidate_rank,
        score := first_score,
        in_prompt := NOT not_in_prompt,
        share := prompt_share,
        reason := drop_reason
    )) FILTER (out_of_prompt OR truncated) AS lost,
    list(stop) FILTER (out_of_prompt OR truncated) AS lost_stops,
    max(stop) FILTER (out_of_prompt OR truncated) AS last_lost,
    any_value(superseded) AS superseded,
    any_value(unsupported_claims) AS unsupported,
    any_value(uncited_claims) AS uncited,
    any_value(miscited_claims) AS miscited
FROM walk
GROUP BY request_id
