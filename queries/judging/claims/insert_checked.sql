-- Store what our rules say of claims. What they said before and cannot tell any more is withdrawn by a row without a value.
-- Grain: one row of verdict for each judged thing of a request of the batch of which something else was said before.
-- Parameters: $first, $last, the batch of the relation unchecked_request; $version, of the extractor of claims;
-- $judged_at, the time of judging, UTC. The relation claim_judgement holds what is said now.
INSERT INTO verdict BY NAME
WITH batch AS (
    SELECT request_id, config FROM unchecked_request WHERE number BETWEEN $first AND $last
),
earlier AS (
    SELECT
        verdict.request_id,
        verdict.subject,
        verdict.target,
        verdict.claim_id,
        arg_max(struct_pack(value := verdict.value, claim := verdict.claim), verdict.judged_at) AS said
    FROM verdict
    SEMI JOIN batch ON batch.request_id = verdict.request_id
    WHERE verdict.source = 'rule' AND verdict.subject IN ('claim_support', 'claim_correct', 'claim_found', 'citation')
    GROUP BY verdict.request_id, verdict.subject, verdict.target, verdict.claim_id
),
now_said AS (
    SELECT * REPLACE (CAST(request_id AS UUID) AS request_id) FROM claim_judgement
),
changed AS (
    SELECT
        coalesce(now_said.request_id, earlier.request_id) AS request_id,
        coalesce(now_said.subject, earlier.subject) AS subject,
        coalesce(now_said.target, earlier.target) AS target,
        coalesce(now_said.claim_id, earlier.claim_id) AS claim_id,
        coalesce(now_said.claim, earlier.said.claim) AS claim,
        now_said.value,
        coalesce(now_said.reason, 'cannot be told any more') AS reason
    FROM now_said
    FULL JOIN earlier
        ON earlier.request_id = now_said.request_id
        AND earlier.subject = now_said.subject
        AND earlier.target = now_said.target
        AND earlier.claim_id IS NOT DISTINCT FROM now_said.claim_id
    WHERE now_said.value IS DISTINCT FROM earlier.said.value
        OR (now_said.value IS NOT NULL AND now_said.claim IS DISTINCT FROM earlier.said.claim)
)
SELECT
    changed.*,
    'rule' AS source,
    batch.config,
    CAST($version AS VARCHAR) AS extractor_version,
    CAST($judged_at AS TIMESTAMP) AS judged_at
FROM changed
JOIN batch ON batch.request_id = changed.request_id;
