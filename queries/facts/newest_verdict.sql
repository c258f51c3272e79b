-- The verdicts that count: for each request and subject the newest of the most trusted source.
-- Grain: one row a request that was judged (request_id).
-- A person outranks a rule, a rule outranks a model.
SELECT
    request_id,
    bool_or(value) FILTER (subject = 'refusal') AS refused,
    bool_or(value) FILTER (subject = 'clarification') AS clarified,
    bool_or(value) FILTER (subject = 'answer') AS correct,
    bool_or(value) FILTER (subject = 'grounded') AS grounded
FROM (
    SELECT verdict.request_id, verdict.subject, verdict.value
    FROM verdict
    SEMI JOIN joined ON joined.request_id = verdict.request_id
    QUALIFY row_number() OVER (
        PARTITION BY verdict.request_id, verdict.subject
        ORDER BY
            CASE verdict.source WHEN 'human' THEN 1 WHEN 'rule' THEN 2 ELSE 3 END,
            verdict.judged_at DESC
    ) = 1
)
GROUP BY request_id
