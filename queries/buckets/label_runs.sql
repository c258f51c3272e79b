-- The labellings that were made, newest first: their run_id is what label_transitions compares.
-- Grain: one row a labelling. `pass_share` is the part of the labelled requests whose label is a pass.
SELECT
    label_run.run_id,
    label_run.started_at,
    label_run.requests,
    label_run.joined,
    label_run.config ->> '$.k' AS k,
    avg(CAST(label.label = 'pass' OR starts_with(label.label, 'pass.') AS INTEGER)) AS pass_share,
    label_run.version
FROM label_run
LEFT JOIN label USING (run_id)
GROUP BY ALL
ORDER BY label_run.run_id DESC;
