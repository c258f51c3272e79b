-- Log records and events as received, lossless: evaluation results (gen_ai.evaluation.result) and messages among them.
-- Grain: one row a log record. Records have no identity of their own: one that a sender sends twice is stored twice.
-- JSON is written as in the table span.
CREATE TABLE log_record (
    time TIMESTAMP_NS,                   -- when it happened, UTC, to the nanosecond; NULL where the sender does not say
    observed_time TIMESTAMP_NS,          -- when it was first seen, UTC, to the nanosecond; NULL where the sender does not say
    trace_id UUID,                       -- trace it belongs to; NULL if none
    span_id UBIGINT,                     -- span it belongs to; NULL if none
    severity_number UTINYINT,            -- OTLP severity, 1 (trace) to 24 (fatal); NULL if not given
    severity_text VARCHAR,               -- severity in the sender's words
    event_name VARCHAR,                  -- name of the event, from its field or the attribute event.name; NULL for a plain log
    service VARCHAR,                     -- resource attribute service.name
    scope_name VARCHAR,                  -- instrumentation scope
    scope_version VARCHAR,               -- version of the instrumentation scope
    body JSON USING COMPRESSION zstd,    -- the body, of any type; NULL if none
    attributes JSON NOT NULL USING COMPRESSION zstd, -- object: every attribute
    resource JSON,                       -- {"attributes", "dropped_attributes_count", "schema_url"} of the resource
    scope JSON,                          -- {"attributes", "dropped_attributes_count", "schema_url"} of the scope; NULL if all are empty
    flags UINTEGER,                      -- OTLP log record flags (W3C trace flags)
    dropped_attributes_count UINTEGER NOT NULL, -- attributes that the SDK discarded
    repairs JSON,                        -- {field: original value} for what could not be stored as sent, and "scrubbed": [names] of values that were taken out as credentials; NULL if nothing was
    segment_id UUID NOT NULL             -- the segment that brought it
);
