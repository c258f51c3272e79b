-- Texts of chunks of a snapshot.
-- Grain: one row a chunk that has a text (chunk_id).
-- Parameters: $snapshot_id, the snapshot; $chunk_ids, the chunks.
SELECT chunk_id, text
FROM corpus_chunk
WHERE
    snapshot_id = CAST($snapshot_id AS VARCHAR)
    AND list_contains(CAST($chunk_ids AS VARCHAR[]), chunk_id)
    AND text IS NOT NULL
