-- The verdicts that count: of the sources that could tell, the one that is believed first.
-- Grain: one row a judged thing (request_id, subject, target, claim_id). `value` is NULL where no judge could tell;
-- `disputed` tells that sources contradict each other.
CREATE OR REPLACE VIEW trusted_verdict AS
WITH policy AS (
    SELECT
        coalesce(max(human_trust), 1) AS human,
        coalesce(max(rule_trust), 2) AS rule,
        coalesce(max(code_trust), 3) AS code,
        coalesce(max(model_trust), 4) AS model
    FROM judging_policy
),
placed AS (
    SELECT
        source_opinion.*,
        CASE WHEN source_opinion.value IS NULL THEN 10 ELSE 0 END + CASE source_opinion.source
            WHEN 'human' THEN policy.human
            WHEN 'rule' THEN policy.rule
            WHEN 'code' THEN policy.code
            ELSE policy.model
        END AS place
    FROM source_opinion
    CROSS JOIN policy
),
first AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        arg_min(
            struct_pack(
                value := value, source := source, judges := judges, score := score, reason := reason, claim := claim
            ),
            place
        ) AS opinion,
        bool_or(value) AND NOT bool_and(value) AS disputed
    FROM placed
    GROUP BY request_id, subject, target, claim_id
)
SELECT
    request_id,
    subject,
    target,
    claim_id,
    opinion.value AS value,
    opinion.source AS source,
    opinion.judges AS judges,
    opinion.score AS score,
    opinion.reason AS reason,
    opinion.claim AS claim,
    coalesce(disputed, FALSE) AS disputed
FROM first;
