-- Remove the chunks of a snapshot.
-- Grain: one row of corpus_chunk for each chunk of the snapshot.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM corpus_chunk
WHERE snapshot_id = $snapshot_id;
