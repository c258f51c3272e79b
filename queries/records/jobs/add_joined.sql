-- Build a request that is made of several traces as a whole: with one of them come the others.
-- Grain: adds traces to dirty_trace.
INSERT INTO dirty_trace
SELECT DISTINCT other.trace_id
FROM (SELECT request_id, unnest(trace_ids) AS trace_id FROM request WHERE trace_ids IS NOT NULL) AS part
SEMI JOIN dirty_trace ON dirty_trace.trace_id = part.trace_id
JOIN (SELECT request_id, unnest(trace_ids) AS trace_id FROM request WHERE trace_ids IS NOT NULL) AS other
    ON other.request_id = part.request_id
ANTI JOIN dirty_trace ON dirty_trace.trace_id = other.trace_id
