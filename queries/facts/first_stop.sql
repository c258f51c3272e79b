-- The earliest stop of each request over its required groups, with what was seen of every group that did not pass.
-- Grain: one row a joined request (request_id).
SELECT
    request_id,
    any_value(case_id) AS case_id,
    any_value(gold_version) AS gold_version,
    any_value(k) AS k,
    any_value(expect) AS expect,
    any_value(failed_stage) AS failed_stage,
    any_value(refused) AS refused,
    any_value(clarified) AS clarified,
    any_value(correct) AS correct,
    any_value(grounded) AS grounded,
    any_value(depth) AS depth,
    min(stop) AS stop,
    CASE
        WHEN bool_or(NOT group_retrieved) THEN FALSE
        WHEN count(group_retrieved) = count(*) THEN TRUE
    END AS retrieved,
    CASE
        WHEN bool_or(NOT group_cited) THEN FALSE
        WHEN count(group_cited) = count(*) THEN TRUE
    END AS cited,
    list(struct_pack(
        "group" := group_no,
        alternatives := alternatives,
        stop := stop,
        rank := final_rank,
        candidate_rank := candidate_rank,
        score := first_score,
        in_prompt := NOT not_in_prompt,
        reason := CASE
            WHEN not_in_prompt AND dropped IS NOT NULL
            THEN list_filter(dropped, lambda d: list_contains(alternatives, d.id))[1].reason
        END
    )) FILTER (group_no > 0 AND out_of_prompt) AS failing
FROM walk
GROUP BY request_id
