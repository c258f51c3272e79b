-- The labels of a run, for notebooks.
-- Grain: one row a request (request_id): its label in the labelling, or its newest one.
-- Parameters: $pipeline, only requests of this run of the pipeline, NULL for all; $labelling, only this labelling, NULL for the
-- newest label of each request.
SELECT
    trace_hex(label.request_id) AS request_id,
    label.case_id,
    coalesce(request.query, gold_case.query) AS query,
    label.label,
    label.boundary,
    label.outcome,
    label.latent,
    label.retrieved,
    label.grounded,
    label.correct,
    label.cited,
    label.k,
    request.run_id AS run,
    label.run_id AS labelling,
    request.started_at,
    CAST(label.detail AS VARCHAR) AS detail
FROM label
JOIN request USING (request_id)
LEFT JOIN gold_case ON gold_case.case_id = label.case_id
WHERE ($labelling IS NULL OR label.run_id = CAST($labelling AS VARCHAR))
    AND ($pipeline IS NULL OR request.run_id = CAST($pipeline AS VARCHAR))
QUALIFY row_number() OVER (PARTITION BY label.request_id ORDER BY label.run_id DESC) = 1
ORDER BY request.started_at, label.case_id, label.request_id;
