-- What gold requires.
-- Grain: one row a required group of a case (case_id, group_no). Any of `alternatives` satisfies it.
SELECT case_id, group_no, list(chunk_id) AS alternatives
FROM gold_evidence
GROUP BY case_id, group_no
