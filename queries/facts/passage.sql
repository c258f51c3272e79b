-- The texts of the evidence, to be found in prompts.
-- Grain: one row a required group in a loaded snapshot (snapshot_id, case_id, group_no) of which a text is loaded.
-- `passages` are the indexed alternatives: chunk_id, text, and its words as passage_of makes them.
SELECT
    snapshot_id,
    case_id,
    group_no,
    list(struct_pack(chunk_id := chunk_id, text := text, parts := passage_of(words))) AS passages
FROM (
    SELECT
        evidence.snapshot_id,
        evidence.case_id,
        evidence.group_no,
        corpus_chunk.chunk_id,
        corpus_chunk.text,
        words_of(undone(corpus_chunk.text)) AS words
    FROM evidence
    JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = evidence.snapshot_id
        AND corpus_chunk.chunk_id = evidence.chunk_id
    WHERE corpus_chunk.text IS NOT NULL
)
GROUP BY snapshot_id, case_id, group_no
