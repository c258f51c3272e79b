-- Every judgement of the request that existed when it was labelled: by rule, people and models, with their configuration.
-- Grain: one row of verdict a judgement, by time.
-- Parameters: $request_id, the request; $run_id, the labelling.
SELECT verdict.*
FROM verdict
JOIN label_run ON label_run.run_id = $run_id
WHERE verdict.request_id = CAST($request_id AS UUID) AND verdict.judged_at <= label_run.started_at
ORDER BY verdict.judged_at, verdict.subject, verdict.target, verdict.claim_id, verdict.source, verdict.judge, verdict.repeat_no
