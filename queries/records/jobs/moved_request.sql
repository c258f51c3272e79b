-- The requests that get another id because what their trace holds has changed.
-- Grain: one row a request (old_id) whose span stayed and whose id did not, temporary.
CREATE OR REPLACE TEMP TABLE moved_request AS
SELECT request.request_id AS old_id, record.request_id AS new_id
FROM request
JOIN record ON record.trace_id = request.trace_id AND record.anchor_span_id = request.anchor_span_id
WHERE record.request_id <> request.request_id
