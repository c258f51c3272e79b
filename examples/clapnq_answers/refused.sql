-- Whether each answer is a refusal, as it was labelled.
-- Grain: one row an answer.
SELECT
    current_label.case_id AS "case",
    request.run_id AS system,
    current_label.label IN ('pass.correct_refusal', 'decision.refused_answerable') AS refused
FROM current_label
JOIN request USING (request_id)
