-- The labelled requests of one side of a comparison.
-- Grain: one row a labelled request (request_id), cases one after the other, in them the newest request first.
-- Parameters:
--   $pipeline: requests of this run of the pipeline, each with its newest label.
--   $labelling: requests of this labelling, each with its label of that time. Both NULL: all requests, with newest labels.
-- Columns: `passed` is whether the outcome is right, and NULL where nobody knows. `evidence_in_prompt` is the share of the
-- required groups that have an alternative in the prompt, and NULL where nothing is required or that cannot be told.
WITH chosen AS (
    SELECT * EXCLUDE (request_run_id, service, started_at)
    FROM current_label
    WHERE CAST($labelling AS VARCHAR) IS NULL
        AND (CAST($pipeline AS VARCHAR) IS NULL OR request_run_id = CAST($pipeline AS VARCHAR))
    UNION ALL BY NAME
    SELECT * FROM label WHERE run_id = CAST($labelling AS VARCHAR)
),
shown AS (
    SELECT
        request_evidence.request_id,
        CASE WHEN bool_and(
            request_evidence.evidence_known
            AND coalesce(len(request.prompt_ids) = list_count(request.prompt_ids), FALSE)
        ) THEN avg(CAST(list_has_any(request.prompt_ids, request_evidence.alternatives) AS INTEGER)) END AS share
    FROM request_evidence
    JOIN request USING (request_id)
    WHERE request_evidence.request_id IN (SELECT request_id FROM chosen)
    GROUP BY request_evidence.request_id
)
SELECT
    trace_hex(chosen.request_id) AS request_id,
    chosen.case_id,
    coalesce(gold_case.query, request.query, '') AS query,
    coalesce(gold_case.tags, []) AS tags,
    coalesce(gold_case.expect, 'answer') AS expect,
    request.service,
    chosen.run_id AS labelling,
    chosen.gold_version,
    chosen.label,
    chosen.boundary,
    chosen.detail ->> '$.stopped_at' AS stopped_at,
    chosen.outcome,
    CASE chosen.outcome WHEN 'correct' THEN TRUE WHEN 'unjudged' THEN NULL ELSE FALSE END AS passed,
    chosen.latent,
    chosen.retrieved,
    chosen.grounded,
    chosen.correct,
    chosen.cited,
    chosen.k,
    shown.share AS evidence_in_prompt
FROM chosen
JOIN request USING (request_id)
LEFT JOIN gold_case ON gold_case.case_id = chosen.case_id
LEFT JOIN shown ON shown.request_id = chosen.request_id
ORDER BY chosen.case_id, request.started_at DESC NULLS LAST, request_id DESC;
