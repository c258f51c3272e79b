-- What became of the quotes of the case in the snapshot of the request.
-- Grain: one row of resolved_quote a quote.
-- Parameters: $case_id, the case; $snapshot_id, the snapshot (NULL: none).
SELECT * FROM resolved_quote
WHERE case_id = $case_id AND snapshot_id = $snapshot_id
ORDER BY claim_id NULLS FIRST, group_no, member_no
