-- Store the verdicts on answers of probes.
-- Grain: one row of the relation judged_probe a run (trace_id).
UPDATE probe
SET
    correct = judged_probe.correct,
    refused = judged_probe.refused,
    grounded = judged_probe.grounded,
    carries_planted = judged_probe.carries_planted,
    carries_replaced = judged_probe.carries_replaced,
    judged_with = judged_probe.judged_with
FROM judged_probe
WHERE probe.trace_id = CAST(judged_probe.trace_id AS UUID)
