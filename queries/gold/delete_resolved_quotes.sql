-- Forget what quotes resolved to, of the cases that an incoming file brings anew.
-- Grain: one row of resolved_quote for each quote of a case of the relation incoming_case.
DELETE FROM resolved_quote
WHERE case_id IN (SELECT case_id FROM incoming_case);
