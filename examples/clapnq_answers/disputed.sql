-- Questions that one file of the data set calls answerable and the other unanswerable, with what the systems did.
-- Grain: one row a question.
SELECT
    current_label.case_id AS "case",
    any_value(gold_case.expect) AS labelled_as,
    count(*) FILTER (current_label.label = 'decision.refused_answerable') AS refused,
    count(*) FILTER (current_label.label <> 'decision.refused_answerable') AS answered,
    left(any_value(gold_case.query), 60) AS question
FROM current_label
JOIN gold_case ON gold_case.case_id = current_label.case_id
WHERE list_contains(gold_case.tags, 'disputed')
GROUP BY current_label.case_id
ORDER BY current_label.case_id
