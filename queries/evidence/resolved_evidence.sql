-- The required evidence of the case in ids of the snapshot of the request, where gold names some of it by quote.
-- Grain: one row of resolved_evidence an alternative of a required group.
-- Parameters: $case_id, the case; $snapshot_id, the snapshot (NULL: none).
SELECT * FROM resolved_evidence
WHERE case_id = $case_id AND snapshot_id = $snapshot_id
ORDER BY group_no, member_no
