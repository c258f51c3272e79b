-- The texts of the chunks that the requests of a batch showed or cite.
-- Grain: one row a chunk of a snapshot whose text is loaded (snapshot_id, chunk_id).
-- Parameters: $first, $last, the batch of the relation unchecked_request.
WITH batch AS (
    SELECT unchecked_request.snapshot_id, request.prompt_ids, request.cited_ids
    FROM unchecked_request
    JOIN request ON request.request_id = unchecked_request.request_id
    WHERE unchecked_request.number BETWEEN $first AND $last
),
wanted AS (
    SELECT snapshot_id, unnest(prompt_ids) AS chunk_id FROM batch
    UNION
    SELECT snapshot_id, unnest(cited_ids) AS chunk_id FROM batch
)
SELECT corpus_chunk.snapshot_id, corpus_chunk.chunk_id, corpus_chunk.text
FROM corpus_chunk
SEMI JOIN wanted ON wanted.snapshot_id = corpus_chunk.snapshot_id AND wanted.chunk_id = corpus_chunk.chunk_id
WHERE corpus_chunk.text IS NOT NULL;
