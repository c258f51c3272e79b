-- Texts of the chunks that are wanted of each snapshot.
-- Grain: one row a chunk that has a text (snapshot_id, chunk_id). The relation wanted_chunk names them.
SELECT corpus_chunk.snapshot_id, corpus_chunk.chunk_id, corpus_chunk.text
FROM corpus_chunk
SEMI JOIN wanted_chunk
    ON wanted_chunk.snapshot_id = corpus_chunk.snapshot_id AND wanted_chunk.chunk_id = corpus_chunk.chunk_id
WHERE corpus_chunk.text IS NOT NULL
