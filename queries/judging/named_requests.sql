-- The requests that lines of a file of verdicts name.
-- Grain: one row a line of the relation named_request (line), with every request that it may mean.
SELECT line, list(DISTINCT request_id ORDER BY request_id) AS request_ids
FROM (
    SELECT named.line, named.case_id, named.run_id, request.request_id, request.case_id AS found_case, request.run_id AS found_run
    FROM named_request AS named
    JOIN request ON request.request_id = CAST(named.request_id AS UUID)
    UNION ALL
    SELECT named.line, named.case_id, named.run_id, request.request_id, request.case_id, request.run_id
    FROM named_request AS named
    JOIN request ON request.trace_id = CAST(named.trace_id AS UUID)
    WHERE named.request_id IS NULL
    UNION ALL
    SELECT named.line, named.case_id, named.run_id, request.request_id, request.case_id, request.run_id
    FROM named_request AS named
    JOIN request ON request.case_id = named.case_id
    WHERE named.request_id IS NULL AND named.trace_id IS NULL
)
-- A production request names no case: its line in a sheet shows the one that it was joined to.
WHERE (case_id IS NULL OR found_case IS NULL OR found_case = case_id)
    AND (run_id IS NULL OR found_run = run_id)
GROUP BY line;
