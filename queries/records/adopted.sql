-- The spans of joined traces belong to one request.
-- Grain: changes rows of owned.
UPDATE owned
SET request_trace_id = joined_trace.request_trace_id, anchor_span_id = joined_trace.request_anchor_span_id
FROM joined_trace
WHERE owned.trace_id = joined_trace.trace_id
