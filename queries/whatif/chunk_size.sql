-- How much of a budget each ranked chunk takes.
-- Grain: one row a chunk of a snapshot and unit (unit, snapshot_id, chunk_id), temporary; `size` is NULL in a unit that
-- nobody can count.
-- Parameters: $units, the units in which budgets are counted.
-- Words are what white space of Unicode parts, characters are code points; tokens were counted by the user's tokenizer,
-- once a text, in the relation token_count.
CREATE OR REPLACE TEMP TABLE chunk_size AS
SELECT
    asked.unit,
    ranked_chunk.snapshot_id,
    ranked_chunk.chunk_id,
    CASE asked.unit
        WHEN 'words' THEN len(regexp_extract_all(ranked_chunk.text, '[^\s\p{Z}\x{0b}\x{1c}-\x{1f}\x{85}]+'))
        WHEN 'characters' THEN len(ranked_chunk.text)
        WHEN 'tokens' THEN token_count.tokens
    END AS size
FROM ranked_chunk
CROSS JOIN (SELECT unnest(CAST($units AS VARCHAR[])) AS unit) AS asked
LEFT JOIN token_count ON asked.unit = 'tokens' AND token_count.text = ranked_chunk.text
