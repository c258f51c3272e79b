-- Forget what quotes resolved to in a snapshot that goes.
-- Grain: removes one row of resolved_quote a quote in the snapshot.
-- Parameters: $snapshot_id, the snapshot.
DELETE FROM resolved_quote
WHERE snapshot_id = $snapshot_id
