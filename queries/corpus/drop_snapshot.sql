-- Forget a snapshot; what only it held is removed by reopen_chunks and drop_chunks.
-- Grain: removes one row of corpus_snapshot. Column: the series it stood in.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM corpus_snapshot
WHERE snapshot_id = $snapshot_id
RETURNING series
