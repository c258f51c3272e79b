-- The ledger of landing: which segments of the spool have been stored.
-- Grain: one row a segment, entered by the transaction that stored it; a segment that is in here is not stored again.
CREATE TABLE segment (
    segment_id UUID NOT NULL,            -- identity of the segment; ordered by time (UUID version 7)
    source VARCHAR NOT NULL,             -- who wrote it: exporter, collect, or import:<file name>
    spans UBIGINT NOT NULL,              -- spans stored
    duplicates UBIGINT NOT NULL,         -- spans that were already there, or twice in the segment, and were dropped
    logs UBIGINT NOT NULL,               -- log records stored
    rejected UBIGINT NOT NULL,           -- spans and log records set aside; rejected_span says why
    landed_at TIMESTAMP NOT NULL,        -- when the transaction ran, UTC
    built BOOLEAN NOT NULL               -- whether the request records of its traces have been built since
);
