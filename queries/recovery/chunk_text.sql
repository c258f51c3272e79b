-- The chunks of a snapshot with their texts.
-- Grain: one row a chunk (chunk_id), in the order of the documents.
-- Parameters: $snapshot_id, the snapshot.
SELECT chunk_id, doc_id, text
FROM corpus_chunk
WHERE snapshot_id = $snapshot_id
ORDER BY doc_id NULLS LAST, position NULLS LAST, chunk_id
