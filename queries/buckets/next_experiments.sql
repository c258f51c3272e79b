-- What to try next: labelled requests by their cell of the decision matrix, with how many share each cell.
-- Grain: one row a cell that has requests, the fullest first.
-- Parameters:
--   $request_run_id: only this run of the pipeline; default: every run.
-- Columns: coverage, support, correctness and citation, as the view decision_matrix defines them; requests; the edge that
-- the experiment tests; up to five cases of the cell.
SELECT
    coverage,
    support,
    correctness,
    citation,
    count(*) AS requests,
    any_value(edge) AS edge,
    any_value(next_experiment) AS next_experiment,
    list_slice(list(DISTINCT case_id ORDER BY case_id), 1, 5) AS cases
FROM next_experiment
WHERE CAST($request_run_id AS VARCHAR) IS NULL OR request_run_id = CAST($request_run_id AS VARCHAR)
GROUP BY coverage, support, correctness, citation
ORDER BY requests DESC, coverage, support, correctness, citation;
