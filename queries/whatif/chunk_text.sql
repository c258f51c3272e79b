-- The texts of the chunks that were ranked, for a generator.
-- Grain: one row a chunk of a snapshot (snapshot_id, chunk_id).
SELECT snapshot_id, chunk_id, text
FROM ranked_chunk
