-- Questions that gold can answer and the system declined, with the reason that the tree found.
-- Grain: one row a request, by label, then by case.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
-- A refusal is an honest consequence where evidence was lost on the way; it is the decision's own fault only where the
-- label is decision.refused_answerable.
SELECT
    current_label.label,
    current_label.case_id,
    current_label.retrieved,
    request.query,
    request.answer,
    rule.try_first,
    current_label.request_run_id,
    current_label.request_id
FROM current_label
JOIN gold_case USING (case_id)
JOIN request USING (request_id)
LEFT JOIN rule ON rule.label = current_label.label
WHERE gold_case.expect = 'answer'
    AND current_label.outcome = 'refused'
    AND (CAST($request_run_id AS VARCHAR) IS NULL OR current_label.request_run_id = CAST($request_run_id AS VARCHAR))
ORDER BY current_label.label, current_label.case_id, current_label.request_id;
