-- The newest reply to each question of a run.
-- Grain: one row a question of the relation asked_question that was replied to (question_key).
SELECT question_key, reply, failure
FROM judge_reply
SEMI JOIN asked_question USING (question_key)
QUALIFY row_number() OVER (PARTITION BY question_key ORDER BY replied_at DESC) = 1;
