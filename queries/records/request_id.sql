-- The identity of each request.
-- Grain: one row a request (trace_id, anchor_span_id) that has at least one stage span.
-- While a trace holds one request its id is the trace id, so that it stays when late spans arrive.
CREATE OR REPLACE TEMP TABLE request_id AS
WITH found AS (
    SELECT DISTINCT trace_id, anchor_span_id
    FROM outermost
)
SELECT
    trace_id,
    anchor_span_id,
    CASE
        WHEN count(*) OVER (PARTITION BY trace_id) = 1 THEN trace_id
        ELSE CAST(md5(concat(trace_hex(trace_id), span_hex(anchor_span_id))) AS UUID)
    END AS request_id
FROM found
