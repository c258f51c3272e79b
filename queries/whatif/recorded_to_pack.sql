-- The recorded settings, to see whether our rule makes the recorded prompts out of them.
-- Grain: one row a joined request (request_id).
-- What was recorded without a k passed everything on.
CREATE OR REPLACE TEMP VIEW to_pack AS
SELECT
    request_id,
    ranked_ids AS ids,
    ranked_scores AS scores,
    score_kind,
    coalesce(k, len(ranked_ids)) AS k,
    budget,
    unit,
    packing,
    ordering,
    snapshot_id
FROM recorded
