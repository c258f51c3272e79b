-- What could not be labelled, the field that was missing for it, and how to record it.
-- Grain: one row a missing field and the rule at which the walk stopped, most requests first.
-- `cases` names up to five of the cases, by name.
SELECT
    current_label.detail ->> '$.missing' AS missing,
    current_label.detail ->> '$.stopped_at' AS stopped_at,
    count(*) AS requests,
    any_value(rule.meaning) AS meaning,
    any_value(rule.try_first) AS fix,
    list_slice(list_sort(list(DISTINCT current_label.case_id)), 1, 5) AS cases
FROM current_label
LEFT JOIN rule USING (label)
WHERE starts_with(current_label.label, 'unknown.')
GROUP BY missing, stopped_at
ORDER BY requests DESC, missing, stopped_at;
