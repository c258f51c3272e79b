-- Remove the stored evidence of the cases that an incoming file brings anew; a case may come without evidence.
-- Grain: one row of gold_evidence for each member of a case of the relation incoming_case.
DELETE FROM gold_evidence
WHERE case_id IN (SELECT case_id FROM incoming_case);
