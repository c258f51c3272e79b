-- Store replies that are not stored yet.
-- Grain: one row of judge_reply a row of the relation incoming_reply.
INSERT INTO judge_reply BY NAME
SELECT incoming.*
FROM incoming_reply AS incoming
ANTI JOIN judge_reply
    ON judge_reply.question_key = incoming.question_key AND judge_reply.replied_at = incoming.replied_at;
