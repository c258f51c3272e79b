-- Which snapshots are loaded, the newest first.
-- Grain: one row a snapshot (snapshot_id).
SELECT snapshot_id
FROM corpus_snapshot
ORDER BY loaded_at DESC, snapshot_id
