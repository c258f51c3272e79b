-- Enter a landed batch in the ledger. A batch that brought nothing new leaves nothing to build.
-- Grain: one row of segment a batch.
-- Parameters: segment_id, source, spans, duplicates, landed_at.
INSERT INTO segment BY NAME
SELECT
    CAST($segment_id AS UUID) AS segment_id,
    $source AS source,
    $spans AS spans,
    $duplicates AS duplicates,
    $landed_at AS landed_at,
    $spans = 0 AS built;
