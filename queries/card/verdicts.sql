-- The verdicts that count for a request, who is behind them, and which of these agree too little with people.
-- Grain: one row a judged thing of the request (subject, target, claim_id).
-- Parameters: $request_id, the request.
WITH counted AS (
    SELECT * FROM trusted_verdict WHERE request_id = CAST($request_id AS UUID)
),
said AS (
    SELECT * FROM judge_opinion WHERE request_id = CAST($request_id AS UUID)
),
below AS (
    SELECT source, judge, subject FROM judge_agreement WHERE source <> 'rule' AND below_floor
)
SELECT
    counted.subject,
    counted.target,
    counted.claim_id,
    counted.claim,
    counted.value,
    counted.source,
    counted.reason,
    counted.disputed,
    coalesce(list(DISTINCT said.judge ORDER BY said.judge) FILTER (said.judge IS NOT NULL), []) AS judges,
    coalesce(list(DISTINCT below.judge ORDER BY below.judge) FILTER (below.judge IS NOT NULL), []) AS below_floor
FROM counted
LEFT JOIN said
    ON said.subject = counted.subject
    AND said.source = counted.source
    AND said.target IS NOT DISTINCT FROM counted.target
    AND said.claim_id IS NOT DISTINCT FROM counted.claim_id
LEFT JOIN below ON below.source = said.source AND below.judge = said.judge AND below.subject = said.subject
GROUP BY
    counted.subject, counted.target, counted.claim_id, counted.claim, counted.value, counted.source, counted.reason,
    counted.disputed
ORDER BY (counted.target IS NULL) DESC, counted.subject, len(counted.claim_id), counted.claim_id, len(counted.target), counted.target;
