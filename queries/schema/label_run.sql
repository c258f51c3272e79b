-- Labellings: nothing is ever overwritten by the next one.
-- Grain: one row a run of `ragfault label`.
CREATE TABLE label_run (
    run_id VARCHAR NOT NULL,             -- identity of the labelling; sorts by time
    started_at TIMESTAMP NOT NULL,       -- when it began, UTC
    config JSON NOT NULL,                -- configuration that was used
    requests UBIGINT NOT NULL,           -- requests looked at
    joined UBIGINT NOT NULL,             -- requests that have gold
    version VARCHAR NOT NULL             -- version of otel-ragfault
);
