-- Write how the ids of rankings are known, from the table held_ids.
-- Grain: one row of the relation target a request whose ids were held against a snapshot.
UPDATE target
SET id_source = held_ids.id_source, id_snapshot = held_ids.snapshot_id
FROM held_ids
WHERE held_ids.request_id = target.request_id
