-- The cell of the decision matrix in which a label puts a request; what each word means is told by decision_matrix.
-- Grain: one row a label (run_id, request_id).
-- The walk stops at the verdict only when all required evidence was shown, so that the label tells the coverage. A superseded
-- version that gave the answer was shown beside the evidence; evidence that was itself not valid was not.
CREATE OR REPLACE VIEW matrix_cell AS
SELECT
    label.run_id,
    label.request_id,
    CASE
        WHEN starts_with(label.label, 'error.') THEN 'failed'
        WHEN gold_case.expect <> 'answer' THEN 'nothing required'
        WHEN label.label = 'source.stale' AND json_array_length(label.detail, '$.failing') = 0 THEN 'complete'
        WHEN label.boundary IN ('source set', 'retrieval') THEN 'incomplete'
        WHEN label.boundary = 'assembly' THEN 'cut'
        WHEN label.label IN ('unknown.answer', 'unknown.verdict', 'unknown.claims') THEN 'complete'
        WHEN starts_with(label.label, 'unknown.') THEN 'not known'
        ELSE 'complete'
    END AS coverage,
    CASE WHEN label.grounded THEN 'supported' WHEN NOT label.grounded THEN 'unsupported' ELSE 'not known' END AS support,
    CASE WHEN label.outcome = 'unjudged' THEN 'not known' ELSE label.outcome END AS correctness,
    CASE
        WHEN label.boundary = 'citation' OR NOT label.cited THEN 'uncited'
        WHEN label.cited THEN 'cited'
        ELSE 'not known'
    END AS citation
FROM label
JOIN gold_case ON gold_case.case_id = label.case_id;
