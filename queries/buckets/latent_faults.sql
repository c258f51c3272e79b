-- Right answers in spite of a fault: what will fail next when wording or model change.
-- Grain: one row a request whose outcome is correct and whose label is not a pass.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
-- `retrieved` and `grounded` tell whether the required evidence was within k, and whether the shown chunks say the answer.
SELECT
    current_label.label,
    current_label.case_id,
    current_label.retrieved,
    current_label.grounded,
    request.query,
    request.answer,
    rule.try_first,
    current_label.request_run_id,
    current_label.request_id
FROM current_label
JOIN request USING (request_id)
LEFT JOIN rule ON rule.label = current_label.label
WHERE current_label.latent
    AND (CAST($request_run_id AS VARCHAR) IS NULL OR current_label.request_run_id = CAST($request_run_id AS VARCHAR))
ORDER BY current_label.label, current_label.case_id, current_label.request_id;
