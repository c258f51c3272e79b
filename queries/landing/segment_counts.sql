-- What the ledger says of one segment.
-- Grain: one row, or none while the segment is not stored.
-- Parameters: segment_id.
SELECT spans, duplicates, rejected, logs
FROM segment
WHERE segment_id = CAST($segment_id AS UUID);
