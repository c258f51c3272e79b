-- The gold case that the request was held against: as it was loaded when the request was labelled, if that is still current.
-- Grain: one row of gold_case, or none.
-- Parameters: $case_id, the case.
SELECT * FROM gold_case
WHERE case_id = $case_id
