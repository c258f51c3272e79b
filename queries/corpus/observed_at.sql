-- The time at which an incoming file was seen, where none of its chunks gives another one.
-- Grain: one row. Column: observed_at, NULL when chunks give several times, or none does.
SELECT CASE WHEN min(observed_at) = max(observed_at) THEN min(observed_at) END AS observed_at
FROM corpus_content
