-- The traces with spans, or messages in log records, of segments that are being built, dealt out in batches.
-- Grain: one row a trace (trace_id).
-- Parameters: $batch, traces a batch; $events, the names of log records that hold messages.
CREATE OR REPLACE TEMP TABLE waiting_trace AS
SELECT trace_id, (row_number() OVER () - 1) // $batch AS batch
FROM (
    SELECT span.trace_id
    FROM span
    SEMI JOIN building ON building.segment_id = span.segment_id
    UNION
    SELECT log_record.trace_id
    FROM log_record
    SEMI JOIN building ON building.segment_id = log_record.segment_id
    WHERE
        list_contains($events, log_record.event_name)
        AND log_record.trace_id IS NOT NULL
        AND log_record.span_id IS NOT NULL
)
