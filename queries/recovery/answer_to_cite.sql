-- Answers whose citations are not recorded, with the chunks that reached the prompt.
-- Grain: one row a request of the relation recoverable.
SELECT request_id, answer, prompt_ids
FROM recoverable
WHERE cited_ids IS NULL AND answer IS NOT NULL AND len(prompt_ids) > 0 AND regexp_matches(answer, '[\[【(]')
