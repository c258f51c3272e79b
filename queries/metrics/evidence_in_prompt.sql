-- How much of the required evidence reached the prompt: the most that the generator could have used.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   complete: requests whose every required group has an alternative in the prompt; complete_share is its part of
--     `requests`, and NULL without any.
--   group_share: mean over `requests` of the share of required groups in the prompt.
--   requests: labelled requests that require evidence and whose prompt ids are known: the denominator.
--   without_prompt_ids: those left out because they are not known, or one of them is missing.
WITH required AS (
    SELECT case_id, group_no, list(chunk_id) AS alternatives
    FROM gold_evidence
    GROUP BY case_id, group_no
),
shown AS (
    SELECT
        current_label.request_run_id,
        current_label.request_id,
        coalesce(any_value(len(list_filter(request.prompt_ids, lambda id: id IS NULL)) = 0), FALSE) AS recorded,
        avg(CAST(list_has_any(request.prompt_ids, required.alternatives) AS INTEGER)) AS share
    FROM current_label
    JOIN request USING (request_id)
    JOIN required ON required.case_id = current_label.case_id
    GROUP BY current_label.request_run_id, current_label.request_id
)
SELECT
    request_run_id,
    count(*) FILTER (recorded AND share = 1) AS complete,
    avg(CAST(share = 1 AS INTEGER)) FILTER (recorded) AS complete_share,
    avg(share) FILTER (recorded) AS group_share,
    count(*) FILTER (recorded) AS requests,
    count(*) FILTER (NOT recorded) AS without_prompt_ids
FROM shown
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
