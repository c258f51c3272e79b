-- The stored cases that name evidence, of their own or of a claim, by quote.
-- Grain: one row a case (case_id). Columns: case_id, gold_version, content (its line of a gold file), file, line.
SELECT gold_case.case_id, gold_case.gold_version, gold_version.content, gold_case.file, gold_case.line
FROM gold_case
JOIN gold_version
    ON gold_version.case_id = gold_case.case_id AND gold_version.gold_version = gold_case.gold_version
WHERE gold_case.case_id IN (SELECT case_id FROM gold_evidence WHERE quote IS NOT NULL)
   OR contains(CAST(gold_case.claims AS VARCHAR), '"quote"')
ORDER BY gold_case.case_id
