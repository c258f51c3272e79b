-- The requests whose labels and verdicts are to be sent out, the oldest first.
-- Grain: one row a request (request_id) that has a label, or a verdict that did not come from telemetry.
-- Parameters: $labelling, only the requests of this labelling, NULL for all; $since, only requests that started since, NULL
-- for all.
SELECT CAST(request.request_id AS VARCHAR) AS request_id
FROM request
WHERE ($since IS NULL OR request.started_at >= CAST($since AS TIMESTAMP))
    AND (
        request.request_id IN (
            SELECT label.request_id FROM label WHERE $labelling IS NULL OR label.run_id = $labelling
        )
        OR ($labelling IS NULL AND request.request_id IN (SELECT verdict.request_id FROM verdict))
    )
ORDER BY request.started_at, request.request_id;
