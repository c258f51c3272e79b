-- What there is to recover of the requests of the relation recoverable, so that what is not wanted is not searched for.
-- Grain: one row.
-- `prompts`: rankings and prompts without prompt ids; `shown`: those among them whose spans show texts of hits.
SELECT
    count(*) FILTER (prompt_ids IS NULL AND prompt_text IS NOT NULL AND len(ranked_ids) > 0) AS prompts,
    count(*) FILTER (prompt_ids IS NULL AND prompt_text IS NOT NULL AND len(ranked_ids) > 0 AND coalesce(hit_texts, TRUE))
        AS shown
FROM recoverable
