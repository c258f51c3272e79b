-- The requests behind a label, with where the required evidence stood.
-- Grain: one row a request with its newest label, by label, then by case.
-- Parameters:
--   $label: only this label, or all labels that begin so (`retrieval`); default: every label.
--   $request_run_id: only this run of the pipeline; default: every run.
-- Columns: `evidence` has one entry a required group that was lost: its alternatives, final rank, score and drop reason.
SELECT
    current_label.label,
    current_label.case_id,
    current_label.outcome,
    current_label.k,
    current_label.detail -> '$.failing' AS evidence,
    request.query,
    request.answer,
    current_label.request_run_id,
    trace_hex(request.trace_id) AS trace_id,
    current_label.request_id
FROM current_label
JOIN request USING (request_id)
WHERE (
        CAST($label AS VARCHAR) IS NULL
        OR current_label.label = CAST($label AS VARCHAR)
        OR starts_with(current_label.label, CAST($label AS VARCHAR) || '.')
    )
    AND (CAST($request_run_id AS VARCHAR) IS NULL OR current_label.request_run_id = CAST($request_run_id AS VARCHAR))
ORDER BY current_label.label, current_label.case_id, request.started_at, current_label.request_id;
