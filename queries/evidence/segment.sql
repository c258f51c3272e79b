-- The segments that brought the spans of the request: where the record's own sources came from, and when.
-- Grain: one row of segment a segment, by time.
-- Parameters: $request_id, the request.
SELECT segment.*
FROM segment
SEMI JOIN (
    SELECT span.segment_id
    FROM span
    JOIN request ON request.trace_id = span.trace_id
    WHERE request.request_id = CAST($request_id AS UUID)
) AS brought ON brought.segment_id = segment.segment_id
ORDER BY segment.segment_id
