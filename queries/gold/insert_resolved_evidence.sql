-- Store the required evidence of cases with quotes, in ids of a snapshot.
-- Grain: one row of resolved_evidence for each row of the relation incoming_resolved_evidence.
INSERT INTO resolved_evidence BY NAME
SELECT snapshot_id, case_id, group_no, member_no, chunk_id, quote, gold_group_no, split, evidence_known
FROM incoming_resolved_evidence;
