-- Which verdicts of a file are stored already: dated ones anywhere, others as the newest of their judge and repeat.
-- Grain: one row a digest of the relation incoming_config (config).
SELECT incoming.config
FROM incoming_config AS incoming
SEMI JOIN verdict ON verdict.config = incoming.config
WHERE incoming.dated OR incoming.config IN (SELECT config FROM newest_opinion);
