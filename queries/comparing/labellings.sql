-- How labels of one side of a comparison were made.
-- Grain: one row a labelling (run_id).
-- Parameters: $labellings, the labellings that the labels come from.
SELECT run_id, CAST(config AS VARCHAR) AS config, version
FROM label_run
WHERE run_id IN (SELECT unnest(CAST($labellings AS VARCHAR[])))
ORDER BY run_id;
