-- The verdicts that count: the newest of each source, and of these the one of the most trusted source that could tell.
-- Grain: one row a request that was judged (request_id).
-- The relation `judged` holds the verdicts that apply, in the shape of the table verdict. A person outranks a rule, a
-- rule outranks a model. 1 and 0 stand for TRUE and FALSE, -1 for a verdict that takes an earlier one back.
-- `confirmed`: a person calls the answer right and says nothing of a refusal.
WITH newest AS (
    SELECT
        request_id,
        arg_max(said, judged_at) FILTER (subject = 'refusal' AND source = 'human') AS refused_human,
        arg_max(said, judged_at) FILTER (subject = 'refusal' AND source = 'rule') AS refused_rule,
        arg_max(said, judged_at) FILTER (subject = 'refusal' AND source = 'model') AS refused_model,
        arg_max(said, judged_at) FILTER (subject = 'clarification' AND source = 'human') AS clarified_human,
        arg_max(said, judged_at) FILTER (subject = 'clarification' AND source = 'rule') AS clarified_rule,
        arg_max(said, judged_at) FILTER (subject = 'clarification' AND source = 'model') AS clarified_model,
        arg_max(said, judged_at) FILTER (subject = 'answer' AND source = 'human') AS correct_human,
        arg_max(said, judged_at) FILTER (subject = 'answer' AND source = 'rule') AS correct_rule,
        arg_max(said, judged_at) FILTER (subject = 'answer' AND source = 'model') AS correct_model,
        arg_max(said, judged_at) FILTER (subject = 'grounded' AND source = 'human') AS grounded_human,
        arg_max(said, judged_at) FILTER (subject = 'grounded' AND source = 'rule') AS grounded_rule,
        arg_max(said, judged_at) FILTER (subject = 'grounded' AND source = 'model') AS grounded_model
    FROM (SELECT *, CASE WHEN value THEN 1 WHEN NOT value THEN 0 ELSE -1 END AS said FROM judged)
    GROUP BY request_id
)
SELECT
    request_id,
    coalesce(nullif(refused_human, -1), nullif(refused_rule, -1), nullif(refused_model, -1)) = 1 AS refused,
    coalesce(nullif(clarified_human, -1), nullif(clarified_rule, -1), nullif(clarified_model, -1)) = 1 AS clarified,
    coalesce(nullif(correct_human, -1), nullif(correct_rule, -1), nullif(correct_model, -1)) = 1 AS correct,
    coalesce(nullif(grounded_human, -1), nullif(grounded_rule, -1), nullif(grounded_model, -1)) = 1 AS grounded,
    coalesce(correct_human = 1, FALSE) AND refused_human IS NULL AS confirmed
FROM newest
