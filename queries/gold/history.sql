-- Every version of a case that was ever loaded, the newest first.
-- Grain: one row a version (gold_version). Columns: gold_version, in_force, loaded_at, file, line, labels (how many requests
-- were ever labelled with it), content.
-- Parameters: $case_id, the case.
SELECT
    gold_version.gold_version,
    gold_case.case_id IS NOT NULL AS in_force,
    gold_version.loaded_at,
    gold_version.file,
    gold_version.line,
    (
        SELECT count(*)
        FROM label
        WHERE label.case_id = gold_version.case_id AND label.gold_version = gold_version.gold_version
    ) AS labels,
    gold_version.content
FROM gold_version
LEFT JOIN gold_case
    ON gold_case.case_id = gold_version.case_id AND gold_case.gold_version = gold_version.gold_version
WHERE gold_version.case_id = $case_id
ORDER BY in_force DESC, gold_version.loaded_at DESC, gold_version.gold_version
