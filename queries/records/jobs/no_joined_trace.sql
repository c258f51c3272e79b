-- Traces that are one request together, where none are.
-- Grain: none, in the shape of joined_trace.
CREATE OR REPLACE TEMP TABLE joined_trace (
    trace_id UUID,
    request_trace_id UUID,
    request_anchor_span_id UBIGINT,
    traces UUID[]
)
