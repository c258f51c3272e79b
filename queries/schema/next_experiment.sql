-- The cell of the decision matrix of each labelled request, and the one experiment that comes next.
-- Grain: one row a labelled request (request_id).
CREATE OR REPLACE VIEW next_experiment AS
SELECT
    current_label.request_id,
    current_label.case_id,
    current_label.label,
    matrix_cell.coverage,
    matrix_cell.support,
    matrix_cell.correctness,
    matrix_cell.citation,
    decision_matrix.edge,
    decision_matrix.observation,
    decision_matrix.next_experiment,
    current_label.request_run_id
FROM current_label
JOIN matrix_cell USING (run_id, request_id)
JOIN decision_matrix USING (coverage, support, correctness, citation);
