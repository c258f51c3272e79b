-- What people, our rules or other checks could tell already.
-- Grain: one row a judged thing (request_id, subject, target, claim_id).
SELECT DISTINCT request_id, subject, target, claim_id
FROM source_opinion
WHERE source <> 'model' AND value IS NOT NULL;
