-- Leave only the requests of one case, and of one run of the pipeline, among those that are replayed.
-- Grain: one row of joined a request (request_id).
-- Parameters: $case_id and $run_id; NULL leaves all.
DELETE FROM joined
WHERE ($case_id IS NOT NULL AND case_id IS DISTINCT FROM CAST($case_id AS VARCHAR))
   OR ($run_id IS NOT NULL AND request_id NOT IN (SELECT request_id FROM request WHERE run_id = CAST($run_id AS VARCHAR)))
