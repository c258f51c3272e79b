-- What a prompt is searched for: the ranked chunks of a request with their texts, and the prompt.
-- Grain: one row a request of the relation recoverable that has a prompt and a ranking, but no prompt ids.
-- `by_id` tells whether a text had to be looked up in the corpus. A text is NULL where neither has it.
WITH wanted AS (
    SELECT request_id, snapshot_id, prompt_text, list_concat(ranked_ids, coalesce(candidate_ids, [])) AS ids
    FROM recoverable
    WHERE
        prompt_ids IS NULL
        AND prompt_text IS NOT NULL
        AND len(ranked_ids) > 0
        AND (EXISTS (FROM known_text) OR EXISTS (FROM corpus_chunk))
),
ranked AS (
    SELECT request_id, snapshot_id, id, min(rank) AS rank
    FROM (SELECT request_id, snapshot_id, unnest(ids) AS id, generate_subscripts(ids, 1) AS rank FROM wanted)
    GROUP BY request_id, snapshot_id, id
),
newest AS (SELECT arg_max(snapshot_id, loaded_at) AS snapshot_id FROM corpus_snapshot),
texts AS (
    SELECT
        ranked.request_id,
        ranked.id,
        ranked.rank,
        coalesce(known_text.text, corpus_chunk.text) AS text,
        known_text.text IS NULL AND corpus_chunk.text IS NOT NULL AS by_id
    FROM ranked
    CROSS JOIN newest
    LEFT JOIN known_text ON known_text.request_id = ranked.request_id AND known_text.id = ranked.id
    LEFT JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = coalesce(ranked.snapshot_id, newest.snapshot_id)
        AND corpus_chunk.chunk_id = ranked.id
)
SELECT
    wanted.request_id,
    any_value(wanted.prompt_text) AS prompt_text,
    list(texts.id ORDER BY texts.rank) AS ids,
    list(texts.text ORDER BY texts.rank) AS texts,
    bool_or(texts.by_id) AS by_id
FROM texts
JOIN wanted ON wanted.request_id = texts.request_id
GROUP BY wanted.request_id
HAVING count(texts.text) > 0
