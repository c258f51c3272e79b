-- The settings that are tried, where they are not the recorded ones.
-- Grain: one row a joined request that is packed anew (request_id).
CREATE OR REPLACE TEMP VIEW to_pack AS
SELECT request_id, ids, scores, score_kind, passed AS k, budget, unit, packing, ordering, snapshot_id
FROM asked
WHERE NOT as_recorded
