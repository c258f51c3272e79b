-- The ledger of landing: which batches have been stored.
-- Grain: one row a batch that was landed in one transaction.
CREATE TABLE segment (
    segment_id UUID NOT NULL,            -- identity of the batch
    source VARCHAR NOT NULL,             -- exporter, or import:<file name>
    spans UBIGINT NOT NULL,              -- spans stored
    duplicates UBIGINT NOT NULL,         -- spans that were already there, or twice in the batch, and were dropped
    landed_at TIMESTAMP NOT NULL,        -- when the transaction ran, UTC
    built BOOLEAN NOT NULL               -- whether the request records of its traces have been built since
);
