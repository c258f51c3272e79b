-- The loaded cases, and what became of their quotes in a snapshot.
-- Grain: one row a case (case_id). Columns: case_id, query, expect, groups, quotes, found, fuzzy, split, lost (in no text of
-- the snapshot), open (ambiguous, texts are missing, or not looked for), gold_version, labelled_by, source.
-- Parameters: $snapshot_id, the snapshot; NULL: none is loaded. $unresolved, only cases with a quote that was not found.
WITH asked AS (
    SELECT case_id, max(group_no) AS groups, count(quote) AS quotes
    FROM gold_evidence
    GROUP BY case_id
),
became AS (
    SELECT
        case_id,
        count(*) FILTER (state IN ('exact', 'fuzzy')) AS found,
        count(*) FILTER (state = 'fuzzy') AS fuzzy,
        count(*) FILTER (split) AS split,
        count(*) FILTER (state = 'unresolved') AS lost
    FROM resolved_quote
    WHERE snapshot_id = $snapshot_id AND claim_id IS NULL
    GROUP BY case_id
)
SELECT
    gold_case.case_id,
    gold_case.query,
    gold_case.expect,
    coalesce(asked.groups, 0) AS groups,
    coalesce(asked.quotes, 0) AS quotes,
    coalesce(became.found, 0) AS found,
    coalesce(became.fuzzy, 0) AS fuzzy,
    coalesce(became.split, 0) AS split,
    coalesce(became.lost, 0) AS lost,
    coalesce(asked.quotes, 0) - coalesce(became.found, 0) - coalesce(became.lost, 0) AS open,
    gold_case.gold_version,
    gold_case.labelled_by,
    gold_case.source
FROM gold_case
LEFT JOIN asked ON asked.case_id = gold_case.case_id
LEFT JOIN became ON became.case_id = gold_case.case_id
WHERE NOT coalesce(CAST($unresolved AS BOOLEAN), FALSE)
   OR coalesce(asked.quotes, 0) > coalesce(became.found, 0)
ORDER BY gold_case.case_id
