-- Which segments of a load are stored already.
-- Grain: one row a segment of the ledger.
-- Parameters: segment_ids, the segments of the load; earliest and latest of them, because ids are ordered by time and
-- the ledger is long.
SELECT segment_id
FROM segment
WHERE segment_id BETWEEN CAST($earliest AS UUID) AND CAST($latest AS UUID)
    AND list_contains(CAST($segment_ids AS UUID[]), segment_id);
