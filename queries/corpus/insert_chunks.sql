-- Store incoming chunks as a snapshot.
-- Grain: one row of corpus_chunk for each row of the relation incoming_chunk.
-- Parameters: $snapshot_id, the snapshot.
INSERT INTO corpus_chunk BY NAME
SELECT
    CAST($snapshot_id AS VARCHAR) AS snapshot_id,
    chunk_id,
    doc_id,
    text,
    version,
    valid_from,
    valid_to,
    observed_at,
    permitted
FROM incoming_chunk;
