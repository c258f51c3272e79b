-- The verdicts that count: of the sources that could tell, the one that is believed first; as the view trusted_verdict.
-- Grain: one row a request that was judged (request_id).
-- The relation `judged` holds the verdicts that apply, in the shape of the table verdict. Our own rules, which judge every
-- request, say one thing each; of people, models and code the newest of each judge and repeat counts, the majority of the
-- repeats is what a judge says, the majority of the judges what the source says. A source that is divided says nothing.
-- 1 and 0 stand for TRUE and FALSE, -1 for a judge that cannot tell, or takes an earlier verdict back.
-- `confirmed`: a person calls the answer right and says nothing of a refusal, and nobody is believed before people.
WITH policy AS (
    SELECT
        coalesce(max(human_trust), 1) AS human,
        coalesce(max(rule_trust), 2) AS rule,
        coalesce(max(code_trust), 3) AS code,
        coalesce(max(model_trust), 4) AS model
    FROM judging_policy
),
said AS (
    SELECT
        request_id,
        subject,
        source,
        judge,
        repeat_no,
        judged_at,
        CASE WHEN value THEN 1 WHEN NOT value THEN 0 ELSE -1 END AS said
    FROM judged
    WHERE target IS NULL
),
own AS (
    SELECT
        request_id,
        arg_max(said, judged_at) FILTER (subject = 'refusal') AS refused,
        arg_max(said, judged_at) FILTER (subject = 'clarification') AS clarified,
        arg_max(said, judged_at) FILTER (subject = 'answer') AS correct,
        arg_max(said, judged_at) FILTER (subject = 'grounded') AS grounded
    FROM said
    WHERE source = 'rule'
    GROUP BY request_id
),
newest AS (
    SELECT request_id, subject, source, judge, repeat_no, arg_max(said, judged_at) AS said
    FROM said
    WHERE source <> 'rule'
    GROUP BY request_id, subject, source, judge, repeat_no
),
by_judge AS (
    SELECT
        request_id,
        subject,
        source,
        judge,
        CASE
            WHEN count(*) FILTER (said = 1) > count(*) FILTER (said = 0) THEN 1
            WHEN count(*) FILTER (said = 0) > count(*) FILTER (said = 1) THEN 0
            ELSE -1
        END AS said
    FROM newest
    GROUP BY request_id, subject, source, judge
),
by_source AS (
    SELECT
        request_id,
        subject,
        source,
        CASE
            WHEN count(*) FILTER (said = 1) > count(*) FILTER (said = 0) THEN 1
            WHEN count(*) FILTER (said = 0) > count(*) FILTER (said = 1) THEN 0
            ELSE -1
        END AS said
    FROM by_judge
    GROUP BY request_id, subject, source
),
trusted AS (
    SELECT
        by_source.*,
        CASE by_source.source WHEN 'human' THEN policy.human WHEN 'code' THEN policy.code ELSE policy.model END AS trust,
        policy.rule AS own_trust,
        policy.human AS human_trust
    FROM by_source
    CROSS JOIN policy
),
others AS (
    SELECT
        request_id,
        arg_min(said, trust) FILTER (subject = 'refusal' AND said >= 0 AND trust < own_trust) AS refused_before,
        arg_min(said, trust) FILTER (subject = 'refusal' AND said >= 0 AND trust > own_trust) AS refused_after,
        arg_min(said, trust) FILTER (subject = 'clarification' AND said >= 0 AND trust < own_trust) AS clarified_before,
        arg_min(said, trust) FILTER (subject = 'clarification' AND said >= 0 AND trust > own_trust) AS clarified_after,
        arg_min(said, trust) FILTER (subject = 'answer' AND said >= 0 AND trust < own_trust) AS correct_before,
        arg_min(said, trust) FILTER (subject = 'answer' AND said >= 0 AND trust > own_trust) AS correct_after,
        arg_min(said, trust) FILTER (subject = 'grounded' AND said >= 0 AND trust < own_trust) AS grounded_before,
        arg_min(said, trust) FILTER (subject = 'grounded' AND said >= 0 AND trust > own_trust) AS grounded_after,
        count(*) FILTER (subject = 'answer' AND source = 'human' AND said = 1 AND human_trust = 1) = 1
            AND count(*) FILTER (subject = 'refusal' AND source = 'human') = 0 AS confirmed
    FROM trusted
    GROUP BY request_id
)
SELECT
    coalesce(own.request_id, others.request_id) AS request_id,
    coalesce(others.refused_before, nullif(own.refused, -1), others.refused_after) = 1 AS refused,
    coalesce(others.clarified_before, nullif(own.clarified, -1), others.clarified_after) = 1 AS clarified,
    coalesce(others.correct_before, nullif(own.correct, -1), others.correct_after) = 1 AS correct,
    coalesce(others.grounded_before, nullif(own.grounded, -1), others.grounded_after) = 1 AS grounded,
    coalesce(others.confirmed, FALSE) AS confirmed
FROM own
FULL JOIN others ON others.request_id = own.request_id
