-- Forget the required evidence in ids of snapshots, of the cases that an incoming file brings anew.
-- Grain: one row of resolved_evidence for each alternative of a case of the relation incoming_case.
DELETE FROM resolved_evidence
WHERE case_id IN (SELECT case_id FROM incoming_case);
