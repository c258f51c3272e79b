-- The runs that can be compared: runs of the pipeline that the traffic names, and labellings.
-- Grain: one row a run (kind, run), newest first in its kind.
-- Columns: `requests` of the run, `labelled` those of them that have a label, `newest` the start of its newest request, or of
-- the labelling.
SELECT
    'pipeline' AS kind,
    request.run_id AS run,
    count(*) AS requests,
    count(*) FILTER (request.request_id IN (SELECT request_id FROM label)) AS labelled,
    max(request.started_at) AS newest
FROM request
WHERE request.run_id IS NOT NULL
GROUP BY request.run_id
UNION ALL
SELECT
    'labelling',
    label_run.run_id,
    count(label.request_id),
    count(label.request_id),
    any_value(label_run.started_at)
FROM label_run
LEFT JOIN label USING (run_id)
GROUP BY label_run.run_id
ORDER BY kind DESC, newest DESC NULLS LAST, run DESC;
