-- What each system did with questions that have an answer in the passage, and with those that have none.
-- Grain: one row a system. Questions that the data set disputes are left out; disputed.sql has them.
SELECT
    request.run_id AS system,
    count(*) FILTER (gold_case.expect = 'answer') AS answerable,
    count(*) FILTER (current_label.label = 'decision.refused_answerable') AS refused_answerable,
    count(*) FILTER (gold_case.expect = 'refuse') AS unanswerable,
    count(*) FILTER (current_label.label = 'pass.correct_refusal') AS correct_refusal,
    count(*) FILTER (current_label.label = 'decision.answered_unanswerable') AS answered_unanswerable
FROM current_label
JOIN request USING (request_id)
JOIN gold_case ON gold_case.case_id = current_label.case_id
WHERE NOT list_contains(gold_case.tags, 'disputed')
GROUP BY request.run_id
ORDER BY request.run_id
