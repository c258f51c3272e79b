-- Chunks of the loaded snapshots.
-- Grain: one row a chunk of a snapshot (snapshot_id, chunk_id).
CREATE TABLE corpus_chunk (
    snapshot_id VARCHAR NOT NULL,        -- the snapshot
    chunk_id VARCHAR NOT NULL,           -- identity of the chunk in the index
    doc_id VARCHAR,                      -- the document it was cut from
    text VARCHAR,                        -- its text; NULL when only ids were loaded
    version VARCHAR,                     -- version of the document
    valid_from TIMESTAMP,                -- start of its validity, UTC
    valid_to TIMESTAMP,                  -- end of its validity, UTC
    observed_at TIMESTAMP,               -- when it was seen by the loader of the index, UTC
    permitted VARCHAR[]                  -- groups that may see it; NULL: everybody
);
