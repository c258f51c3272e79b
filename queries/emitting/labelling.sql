-- Whether there is a labelling of some name, and the newest ones.
-- Grain: one row.
-- Parameters: $labelling, the name.
SELECT
    coalesce(bool_or(label_run.run_id = $labelling), FALSE) AS found,
    list(label_run.run_id ORDER BY label_run.run_id DESC)[:3] AS newest
FROM label_run;
