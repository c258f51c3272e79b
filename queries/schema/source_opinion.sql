-- What each kind of source says: the majority of its judges; NULL where none can tell or they are divided.
-- Grain: one row a judged thing and source (request_id, subject, target, claim_id, source).
-- Our own rules are one judge that says each thing once: their newest verdict is taken as it is, for there are many.
CREATE OR REPLACE VIEW source_opinion AS
WITH own AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        arg_max(struct_pack(value := value, score := score, reason := reason, claim := claim), judged_at) AS said
    FROM verdict
    WHERE source = 'rule'
    GROUP BY request_id, subject, target, claim_id
),
counted AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        source,
        count(*) FILTER (value) AS yes,
        count(*) FILTER (NOT value) AS no,
        count(*) AS judges,
        avg(score) AS score,
        arg_max(yes_reason, judged_at) FILTER (value) AS yes_reason,
        arg_max(no_reason, judged_at) FILTER (NOT value) AS no_reason,
        arg_max(open_reason, judged_at) FILTER (value IS NULL) AS open_reason,
        arg_max(claim, judged_at) AS claim
    FROM judge_opinion
    WHERE source <> 'rule'
    GROUP BY request_id, subject, target, claim_id, source
)
SELECT
    request_id,
    subject,
    target,
    claim_id,
    source,
    CASE WHEN yes > no THEN TRUE WHEN no > yes THEN FALSE END AS value,
    yes,
    no,
    judges,
    score,
    CASE
        WHEN yes > no THEN yes_reason
        WHEN no > yes THEN no_reason
        WHEN yes > 0 THEN 'its judges are divided'
        ELSE open_reason
    END AS reason,
    claim
FROM counted
UNION ALL
SELECT
    request_id,
    subject,
    target,
    claim_id,
    'rule' AS source,
    said.value AS value,
    CASE WHEN said.value THEN 1 ELSE 0 END AS yes,
    CASE WHEN NOT said.value THEN 1 ELSE 0 END AS no,
    1 AS judges,
    said.score AS score,
    said.reason AS reason,
    said.claim AS claim
FROM own;
