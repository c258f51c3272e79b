-- The labels of every labelling, with ids as hex text, and when their labelling and their request began.
-- Grain: one row a request of a labelling (run_id, request_id); is_newest marks the newest of each request.
-- Parameters: since, only labels of requests that started at or after this time, UTC (NULL: all).
SELECT
    label.run_id,
    trace_hex(label.request_id) AS request_id,
    label.case_id,
    label.label,
    label.boundary,
    label.outcome,
    label.latent,
    label.retrieved,
    label.grounded,
    label.correct,
    label.cited,
    label.k,
    label.gold_version,
    CAST(label.detail AS VARCHAR) AS detail,
    label_run.started_at AS labelled_at,
    request.started_at,
    row_number() OVER (PARTITION BY label.request_id ORDER BY label.run_id DESC) = 1 AS is_newest
FROM label
LEFT JOIN label_run USING (run_id)
LEFT JOIN request USING (request_id)
WHERE $since IS NULL OR request.started_at >= CAST($since AS TIMESTAMP)
ORDER BY label.run_id, label.request_id;
