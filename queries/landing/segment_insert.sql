-- Enter a landed segment in the ledger. One that brought no new span leaves nothing to build.
-- Grain: one row of segment.
-- Parameters: segment_id, source, spans, duplicates, logs, rejected, landed_at.
INSERT INTO segment BY NAME
SELECT
    CAST($segment_id AS UUID) AS segment_id,
    $source AS source,
    $spans AS spans,
    $duplicates AS duplicates,
    $logs AS logs,
    $rejected AS rejected,
    $landed_at AS landed_at,
    $spans = 0 AS built;
