-- The verdicts that count: of the sources that could tell, the one that is believed first.
-- Grain: one row a judged thing (request_id, subject, target, claim_id). `value` is NULL where no judge could tell.
CREATE OR REPLACE VIEW trusted_verdict AS
WITH policy AS (
    SELECT
        coalesce(max(human_trust), 1) AS human,
        coalesce(max(rule_trust), 2) AS rule,
        coalesce(max(code_trust), 3) AS code,
        coalesce(max(model_trust), 4) AS model
    FROM judging_policy
)
SELECT
    source_opinion.request_id,
    source_opinion.subject,
    source_opinion.target,
    source_opinion.claim_id,
    source_opinion.value,
    source_opinion.source,
    source_opinion.judges,
    source_opinion.score,
    source_opinion.reason,
    source_opinion.claim,
    count(DISTINCT source_opinion.value) OVER thing > 1 AS disputed
FROM source_opinion
CROSS JOIN policy
WINDOW thing AS (
    PARTITION BY source_opinion.request_id, source_opinion.subject, source_opinion.target, source_opinion.claim_id
)
QUALIFY row_number() OVER (
    PARTITION BY source_opinion.request_id, source_opinion.subject, source_opinion.target, source_opinion.claim_id
    ORDER BY
        source_opinion.value IS NULL,
        CASE source_opinion.source
            WHEN 'human' THEN policy.human
            WHEN 'rule' THEN policy.rule
            WHEN 'code' THEN policy.code
            ELSE policy.model
        END
) = 1;
