-- The corpus as indexed at a time.
-- Grain: one row a snapshot. A snapshot is loaded when it has a row here, even if it holds no chunk.
CREATE TABLE corpus_snapshot (
    snapshot_id VARCHAR NOT NULL,        -- identity of the snapshot
    chunks UBIGINT NOT NULL,             -- chunks it holds
    source VARCHAR NOT NULL,             -- name of the file it came from
    loaded_at TIMESTAMP NOT NULL         -- when it was loaded, UTC
);
