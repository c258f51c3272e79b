-- The labelling: its time, the configuration that was used and the version of the tool.
-- Grain: one row of label_run, or none.
-- Parameters: $run_id, the labelling.
SELECT * FROM label_run
WHERE run_id = $run_id
