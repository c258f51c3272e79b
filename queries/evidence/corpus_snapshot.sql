-- The snapshot of the corpus that the request is held against.
-- Grain: one row of corpus_snapshot, or none.
-- Parameters: $snapshot_id, the snapshot (NULL: none).
SELECT * FROM corpus_snapshot
WHERE snapshot_id = $snapshot_id
