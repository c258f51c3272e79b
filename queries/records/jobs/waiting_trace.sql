-- The traces with spans of segments that are being built, dealt out in batches.
-- Grain: one row a trace (trace_id).
-- Parameters: $batch, traces a batch.
CREATE OR REPLACE TEMP TABLE waiting_trace AS
SELECT trace_id, (row_number() OVER () - 1) // $batch AS batch
FROM (
    SELECT DISTINCT span.trace_id
    FROM span
    SEMI JOIN building ON building.segment_id = span.segment_id
)
