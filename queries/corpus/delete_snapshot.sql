-- Forget a snapshot; its chunks are removed by delete_chunks.
-- Grain: one row of corpus_snapshot.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM corpus_snapshot
WHERE snapshot_id = $snapshot_id;
