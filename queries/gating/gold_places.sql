-- Where the gold of each case is written, for reports that point at it.
-- Grain: one row a case that was loaded from a file (case_id).
-- Columns: `file` as it was named when gold was loaded, `line` from 1.
SELECT
    case_id,
    file,
    line
FROM gold_case
WHERE file IS NOT NULL AND line IS NOT NULL
ORDER BY case_id;
