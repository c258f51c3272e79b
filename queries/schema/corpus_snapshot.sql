-- The corpus as indexed at a time.
-- Grain: one row a snapshot. A snapshot is loaded when it has a row here, even if it holds no chunk.
-- Snapshots that follow one another stand in a series, so that what they share is stored once (corpus_stored_chunk).
CREATE TABLE corpus_snapshot (
    snapshot_id VARCHAR NOT NULL,        -- identity of the snapshot
    chunks UBIGINT NOT NULL,             -- chunks it holds
    source VARCHAR NOT NULL,             -- name of the file it came from
    loaded_at TIMESTAMP NOT NULL,        -- when it was loaded, UTC
    series UINTEGER NOT NULL,            -- the series it stands in; the snapshot before it in there is its base
    place UINTEGER NOT NULL,             -- its place in the series, ascending; places of dropped snapshots stay empty
    observed_at TIMESTAMP                -- when the index was seen, UTC; NULL where chunks give several times, or none
);
