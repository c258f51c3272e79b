-- Forget the required evidence in ids of a snapshot, and of snapshots that are no longer loaded.
-- Grain: one row of resolved_evidence.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM resolved_evidence
WHERE snapshot_id = $snapshot_id OR snapshot_id NOT IN (SELECT snapshot_id FROM corpus_snapshot);
