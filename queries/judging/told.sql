-- What a model judge has said last about everything that it judged.
-- Grain: one row a judged thing and repeat (request_id, subject, target, claim_id, repeat_no).
-- Parameters: $judge, the model.
SELECT request_id, subject, target, claim_id, repeat_no, config, failure
FROM newest_opinion
WHERE source = 'model' AND judge = $judge;
