-- The answers of probes with what judges them.
-- Grain: one row a run with an answer (trace_id) whose verdicts were made with other gold or by another judge, or not yet.
-- Parameters: $judge, digest of the judge's configuration.
SELECT
    trace_hex(probe.trace_id) AS trace_id,
    probe.question,
    probe.chunks,
    probe.answer,
    probe.cited_ids,
    probe.decision,
    probe.intervention,
    probe.planted,
    probe.replaced,
    gold_case.answer_check,
    gold_case.expect,
    md5(concat_ws('/', CAST($judge AS VARCHAR), gold_case.gold_version)) AS judged_with
FROM probe
LEFT JOIN gold_case ON gold_case.case_id = probe.case_id
WHERE
    probe.failure IS NULL
    AND probe.judged_with IS DISTINCT FROM md5(concat_ws('/', CAST($judge AS VARCHAR), gold_case.gold_version))
