-- The requests that get another id because what their trace holds has changed, or because it was joined with another.
-- Grain: one row a request (old_id) that is known under another id now, temporary. `joined` marks those that became a part.
CREATE OR REPLACE TEMP TABLE moved_request AS
SELECT request.request_id AS old_id, record.request_id AS new_id, FALSE AS joined
FROM request
JOIN record ON record.trace_id = request.trace_id AND record.anchor_span_id = request.anchor_span_id
WHERE record.request_id <> request.request_id
UNION
SELECT request.request_id, record.request_id, TRUE
FROM request
JOIN joined_trace ON joined_trace.trace_id = request.trace_id
JOIN record ON record.trace_id = joined_trace.request_trace_id
WHERE record.request_id <> request.request_id
