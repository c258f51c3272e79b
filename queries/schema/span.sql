-- Spans as received, lossless.
-- Grain: one row a span (trace_id, span_id); duplicates are dropped on landing.
-- Hot fields are typed columns; everything else is strict JSON. OTLP values that JSON lacks are written as
-- {"$bytes": "<base64>"} and {"$double": "NaN" | "Infinity" | "-Infinity"}.
-- Long JSON is compressed with zstd: a load takes half of the time and a quarter of the room that the default takes.
CREATE TABLE span (
    trace_id UUID NOT NULL,              -- 128-bit trace id; trace_hex(trace_id) prints it as 32 hex digits
    span_id UBIGINT NOT NULL,            -- 64-bit span id; span_hex(span_id) prints it as 16 hex digits
    parent_span_id UBIGINT,              -- NULL for a root span
    name VARCHAR NOT NULL,               -- span name
    kind UTINYINT NOT NULL,              -- OTLP span kind: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer
    start_time TIMESTAMP_NS,             -- start, UTC, to the nanosecond; NULL where the sender's value is not a time
    end_time TIMESTAMP_NS,               -- end, UTC, to the nanosecond; NULL where the sender's value is not a time
    status_code UTINYINT NOT NULL,       -- OTLP status: 0 unset, 1 ok, 2 error
    status_message VARCHAR,              -- description of an error status
    service VARCHAR,                     -- resource attribute service.name
    scope_name VARCHAR,                  -- instrumentation scope
    scope_version VARCHAR,               -- version of the instrumentation scope
    operation VARCHAR,                   -- attribute gen_ai.operation.name
    stage VARCHAR,                       -- attribute ragfault.stage
    attributes JSON NOT NULL USING COMPRESSION zstd, -- object: every span attribute, hot ones included
    events JSON USING COMPRESSION zstd,  -- array of {"name", "time_unix_nano", "attributes", "dropped_attributes_count"}; NULL if none
    links JSON,                          -- array of {"trace_id", "span_id", "trace_state", "attributes", "dropped_attributes_count", "flags"}; NULL if none
    resource JSON,                       -- {"attributes", "dropped_attributes_count", "schema_url"} of the resource
    scope JSON,                          -- {"attributes", "dropped_attributes_count", "schema_url"} of the scope; NULL if all are empty
    trace_state VARCHAR,                 -- W3C trace state; NULL if empty
    flags UINTEGER,                      -- OTLP span flags (W3C trace flags and the is-remote bits)
    dropped_attributes_count UINTEGER NOT NULL, -- attributes that the SDK discarded: the span is not complete
    dropped_events_count UINTEGER NOT NULL,     -- events that the SDK discarded
    dropped_links_count UINTEGER NOT NULL,      -- links that the SDK discarded
    repairs JSON,                        -- {field: original value} for what could not be stored as sent, and "scrubbed": [names] of values that were taken out as credentials; NULL if nothing was
    segment_id UUID NOT NULL             -- the segment that brought the span
);
