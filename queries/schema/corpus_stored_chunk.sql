-- Chunks as they are stored: once for as long as they stay the same from snapshot to snapshot. Read the view corpus_chunk.
-- Grain: one row a chunk that did not change over neighbouring snapshots of a series (series, chunk_id, first_place).
CREATE TABLE corpus_stored_chunk (
    series UINTEGER NOT NULL,            -- the series of snapshots
    first_place UINTEGER NOT NULL,       -- the first snapshot that holds it
    last_place UINTEGER,                 -- the last one; NULL: the newest of the series still does
    chunk_id VARCHAR NOT NULL,           -- identity of the chunk in the index
    doc_id VARCHAR,                      -- the document it was cut from
    position UINTEGER,                   -- its place in the document, from 1; NULL without a document
    text VARCHAR,                        -- its text; NULL when only ids or hashes were loaded
    text_hash VARCHAR,                   -- SHA-256 of a text that was not loaded
    version VARCHAR,                     -- version of the document
    valid_from TIMESTAMP,                -- start of its validity, UTC
    valid_to TIMESTAMP,                  -- end of its validity, UTC: the first moment at which it is not valid
    observed_at TIMESTAMP,               -- when it was seen by the loader of the index, UTC; NULL where the snapshot says it
    permitted VARCHAR[]                  -- groups that may see it; NULL: everybody
);
