-- How much of the required evidence reached the prompt: the most that the generator could have used.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   complete: requests whose every required group has an alternative in the prompt; complete_share is its part of
--     `requests`, and NULL without any.
--   group_share: mean over `requests` of the share of required groups in the prompt.
--   requests: labelled requests that require evidence and whose prompt ids are known: the denominator.
--   without_prompt_ids: those left out because they are not known, or one of them is missing, or the evidence is named by
--     a quote that was not looked for in the snapshot of the request.
WITH shown AS (
    SELECT
        request_evidence.request_run_id,
        request_evidence.request_id,
        bool_and(
            request_evidence.evidence_known
            AND coalesce(len(request.prompt_ids) = list_count(request.prompt_ids), FALSE)
        ) AS recorded,
        avg(CAST(list_has_any(request.prompt_ids, request_evidence.alternatives) AS INTEGER)) AS share
    FROM request_evidence
    JOIN request USING (request_id)
    GROUP BY request_evidence.request_run_id, request_evidence.request_id
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
