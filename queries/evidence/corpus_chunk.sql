-- The chunks that matter to a label, as they are in the snapshot: those that gold names, and those that were ranked,
-- shown or cited.
-- Grain: one row of corpus_chunk a chunk, by id.
-- Parameters: $request_id, the request; $case_id, the case; $snapshot_id, the snapshot (NULL: none).
WITH named AS (
    SELECT unnest(list_concat(
        coalesce(ranked_ids, []), coalesce(candidate_ids, []), coalesce(prompt_ids, []), coalesce(cited_ids, [])
    )) AS chunk_id
    FROM request
    WHERE request_id = CAST($request_id AS UUID)
    UNION
    SELECT chunk_id FROM gold_evidence WHERE case_id = $case_id
    UNION
    SELECT chunk_id FROM resolved_evidence WHERE case_id = $case_id AND snapshot_id = $snapshot_id
    UNION
    SELECT unnest(json_keys(relevance)) FROM gold_case WHERE case_id = $case_id
)
SELECT corpus_chunk.*
FROM corpus_chunk
SEMI JOIN named ON named.chunk_id = corpus_chunk.chunk_id
WHERE corpus_chunk.snapshot_id = $snapshot_id
ORDER BY corpus_chunk.chunk_id
