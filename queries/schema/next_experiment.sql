-- The cell of the decision matrix of each labelled request, and the one experiment that comes next.
-- Grain: one row a labelled request (request_id).
CREATE OR REPLACE VIEW next_experiment AS
SELECT
    current_label.request_id,
    current_label.case_id,
    current_label.label,
    decision_matrix.*,
    current_label.request_run_id
FROM current_label
JOIN gold_case USING (case_id)
JOIN decision_matrix
    ON decision_matrix.coverage
        = coverage_of(current_label.label, current_label.boundary, current_label.retrieved, gold_case.expect)
    AND decision_matrix.support = support_of(current_label.grounded)
    AND decision_matrix.correctness = correctness_of(current_label.outcome)
    AND decision_matrix.citation = citation_of(current_label.boundary, current_label.cited);
