-- The chunks of a snapshot.
-- Grain: one row a chunk (chunk_id).
-- Parameters: $snapshot_id, the snapshot.
SELECT chunk_id
FROM corpus_chunk
WHERE snapshot_id = $snapshot_id
