-- What is there of the requests that were built before, so that steps that only concern them are left out.
-- Grain: one row.
-- `joined`: requests that are made of several traces, of any trace; `again`: those of the traces that are being built;
-- `sessions`: those of them that name a session.
SELECT
    count(request.trace_ids) AS joined,
    count(dirty_trace.trace_id) AS again,
    count(CASE WHEN dirty_trace.trace_id IS NOT NULL THEN request.session_id END) AS sessions
FROM request
LEFT JOIN dirty_trace ON dirty_trace.trace_id = request.trace_id
