-- Forget what quotes resolved to in a snapshot, and in snapshots that are no longer loaded.
-- Grain: one row of resolved_quote.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM resolved_quote
WHERE snapshot_id = $snapshot_id OR snapshot_id NOT IN (SELECT snapshot_id FROM corpus_snapshot);
