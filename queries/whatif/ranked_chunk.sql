-- The chunks that were ranked, with their texts: what a prompt could be made of.
-- Grain: one row a chunk of a snapshot whose text is loaded (snapshot_id, chunk_id), temporary.
CREATE OR REPLACE TEMP TABLE ranked_chunk AS
WITH ranked AS (
    SELECT snapshot_id, unnest(ranked_ids) AS chunk_id FROM recorded
    UNION
    SELECT snapshot_id, unnest(candidate_ids) AS chunk_id FROM recorded
)
SELECT corpus_chunk.snapshot_id, corpus_chunk.chunk_id, corpus_chunk.text
FROM corpus_chunk
SEMI JOIN ranked ON ranked.snapshot_id = corpus_chunk.snapshot_id AND ranked.chunk_id = corpus_chunk.chunk_id
WHERE corpus_chunk.text IS NOT NULL
