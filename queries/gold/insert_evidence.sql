-- Store the evidence of incoming cases.
-- Grain: one row of gold_evidence for each row of the relation incoming_evidence.
INSERT INTO gold_evidence BY NAME
SELECT case_id, group_no, member_no, chunk_id, doc_id, quote
FROM incoming_evidence;
