-- The probes that were run with an answer, so that they need not be run again.
-- Grain: one row a probe (probe_id).
-- Parameters: $probe_ids, the probes that are asked for.
SELECT DISTINCT probe_id
FROM probe
WHERE failure IS NULL AND list_contains(CAST($probe_ids AS VARCHAR[]), probe_id)
