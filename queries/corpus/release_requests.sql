-- Let requests forget that their ids were held against a snapshot that goes: the next labelling holds them anew.
-- Grain: changes one row of request a request that was held against the snapshot. No snapshot is called ''.
-- Parameters: $snapshot_id, the snapshot.
UPDATE request
SET id_snapshot = ''
WHERE id_snapshot = $snapshot_id
