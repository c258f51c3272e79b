-- Store what quotes resolved to.
-- Grain: one row of resolved_quote for each row of the relation incoming_resolved_quote.
INSERT INTO resolved_quote BY NAME
SELECT snapshot_id, case_id, claim_id, group_no, member_no, state, score, split, chunk_ids, threshold, gold_version, resolved_at
FROM incoming_resolved_quote;
