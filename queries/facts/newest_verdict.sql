-- The verdicts that count: the newest of each source, and of these the one of the most trusted source that could tell.
-- Grain: one row a request that was judged (request_id).
-- The relation `judged` holds the verdicts that apply, in the shape of the table verdict. A person outranks a rule, a
-- rule outranks a model. An answer that a person calls right is not a refusal, where an answer is expected, unless a person
-- says that, too.
SELECT
    request_id,
    CASE
        WHEN count(*) FILTER (expect = 'answer' AND subject = 'answer' AND value AND trust = 1) > 0
            AND count(*) FILTER (subject = 'refusal' AND trust = 1) = 0
        THEN FALSE
        ELSE arg_min(value, trust) FILTER (subject = 'refusal')
    END AS refused,
    arg_min(value, trust) FILTER (subject = 'clarification') AS clarified,
    arg_min(value, trust) FILTER (subject = 'answer') AS correct,
    arg_min(value, trust) FILTER (subject = 'grounded') AS grounded
FROM (
    SELECT
        judged.request_id,
        judged.subject,
        judged.value,
        gold_case.expect,
        CASE judged.source WHEN 'human' THEN 1 WHEN 'rule' THEN 2 ELSE 3 END AS trust
    FROM judged
    JOIN joined ON joined.request_id = judged.request_id
    JOIN gold_case ON gold_case.case_id = joined.case_id
    QUALIFY row_number() OVER (
        PARTITION BY judged.request_id, judged.subject, judged.source
        ORDER BY judged.judged_at DESC
    ) = 1
)
WHERE value IS NOT NULL
GROUP BY request_id
