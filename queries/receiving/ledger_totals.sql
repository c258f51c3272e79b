-- What the ledger says of all segments together.
-- Grain: one row.
SELECT
    count(*) AS segments,
    coalesce(CAST(sum(spans) AS UBIGINT), 0) AS spans,
    coalesce(CAST(sum(logs) AS UBIGINT), 0) AS logs,
    coalesce(CAST(sum(duplicates) AS UBIGINT), 0) AS duplicates,
    max(landed_at) AS last_load
FROM segment;
