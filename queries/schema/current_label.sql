-- The newest label of each request, beside the pipeline run that the request belongs to.
-- Grain: one row a request that was ever labelled and still exists (late spans may have rebuilt it under another id).
CREATE OR REPLACE VIEW current_label AS
SELECT
    label.request_id,
    label.case_id,
    label.run_id,
    label.label,
    label.boundary,
    label.outcome,
    label.latent,
    label.retrieved,
    label.grounded,
    label.correct,
    label.cited,
    label.k,
    label.detail,
    label.gold_version,
    request.run_id AS request_run_id,
    request.service,
    request.started_at
FROM label
JOIN request USING (request_id)
QUALIFY row_number() OVER (PARTITION BY label.request_id ORDER BY label.run_id DESC) = 1;
