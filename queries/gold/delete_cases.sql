-- Remove the stored cases that an incoming file brings anew.
-- Grain: one row of gold_case for each case of the relation incoming_case that is there already.
DELETE FROM gold_case
WHERE case_id IN (SELECT case_id FROM incoming_case);
