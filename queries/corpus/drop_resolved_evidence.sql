-- Forget the required evidence in ids of a snapshot that goes.
-- Grain: removes one row of resolved_evidence an alternative in the snapshot.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM resolved_evidence
WHERE snapshot_id = $snapshot_id
