-- The stored cases that ask what incoming cases ask.
-- Grain: one row a case (case_id). Columns: query_key, case_id, content (its line of a gold file), file, line.
-- Parameters: $questions, normalised questions; $cases, the incoming cases, which take the place of stored ones.
SELECT gold_case.query_key, gold_case.case_id, gold_version.content, gold_case.file, gold_case.line
FROM gold_case
JOIN gold_version
    ON gold_version.case_id = gold_case.case_id AND gold_version.gold_version = gold_case.gold_version
WHERE gold_case.query_key IN (SELECT unnest(CAST($questions AS VARCHAR[])))
  AND gold_case.case_id NOT IN (SELECT unnest(CAST($cases AS VARCHAR[])))
ORDER BY gold_case.case_id
