-- The questions that a generator would have to answer anew: those whose prompt is another one than the recorded.
-- Grain: one row a joined request with a changed prompt (request_id).
SELECT
    CAST(packed.hypothetical_id AS VARCHAR) AS hypothetical_id,
    coalesce(request.query, gold_case.query) AS question,
    packed.snapshot_id,
    packed.prompt_ids
FROM packed
JOIN request ON request.request_id = packed.request_id
JOIN chosen ON chosen.request_id = packed.request_id
JOIN gold_case ON gold_case.case_id = chosen.case_id
WHERE packed.prompt_ids IS NOT NULL AND NOT packed.same_prompt
ORDER BY chosen.case_id, request.started_at, packed.request_id
