-- What gold requires, in the ids of the snapshots that requests were held against; others are not looked into.
-- Grain: one row an alternative of a required group in a snapshot (snapshot_id, case_id, group_no, member_no).
-- Parameters: $default_snapshot is the snapshot of requests that name none.
-- The snapshot '' stands for requests whose snapshot is not loaded.
SELECT required_evidence.*
FROM required_evidence
WHERE required_evidence.snapshot_id = ''
   OR required_evidence.snapshot_id IN (
       SELECT coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR)) FROM subject
   )
