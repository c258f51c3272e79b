-- The cell of the decision matrix of each labelled request, and its next experiment.
-- Grain: one row a labelled request, by cell, then by case.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
SELECT
    case_id,
    label,
    coverage,
    support,
    correctness,
    citation,
    count(*) OVER (PARTITION BY coverage, support, correctness, citation) AS cell_requests,
    observation,
    next_experiment,
    request_run_id,
    request_id
FROM next_experiment
WHERE CAST($request_run_id AS VARCHAR) IS NULL OR request_run_id = CAST($request_run_id AS VARCHAR)
ORDER BY coverage, support, correctness, citation, case_id, request_id;
