-- Which rules make the recorded prompts that the rules of the configuration do not make: a hint, and no more.
-- Grain: one row a joined request whose recorded prompt was packed by another rule (request_id), temporary; filled below.
CREATE OR REPLACE TEMP TABLE told_rule AS
SELECT recorded.request_id, CAST(NULL AS VARCHAR) AS packing, CAST(NULL AS VARCHAR) AS ordering
FROM recorded
JOIN remade ON remade.request_id = recorded.request_id
WHERE remade.prompt_ids <> recorded.prompt_ids
