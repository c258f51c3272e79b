-- The chunks that an answer cites and that certainly were not in its prompt.
-- Grain: one row a request that cites any (request_id). Where the prompt is not known, or has chunks without an id, none.
SELECT request_id, ids
FROM (
    SELECT
        request_id,
        list_filter(
            list_distinct(cited_ids), lambda id: id IS NOT NULL AND NOT list_contains(prompt_ids, id)
        ) AS ids
    FROM subject
    WHERE cited_ids IS NOT NULL AND prompt_ids IS NOT NULL AND len(prompt_ids) = list_count(prompt_ids)
) AS cited
WHERE len(ids) > 0
