-- How an incoming file differs from the newest snapshot of a series.
-- Grain: one row a stored chunk that is over (stored, a rowid), an incoming one that is to be stored (chunk_id), or both.
-- Parameters: $series, the series; NULL for a new one.
-- The order of lines is no difference: the chunks of a document take other positions only when one of them changed.
CREATE OR REPLACE TEMP TABLE corpus_difference AS
WITH held AS (
    SELECT rowid AS stored, * EXCLUDE (series, first_place, last_place)
    FROM corpus_stored_chunk
    WHERE series = CAST($series AS UINTEGER) AND last_place IS NULL
),
matched AS (
    SELECT
        held.stored,
        incoming.chunk_id,
        held.doc_id AS old_document,
        incoming.doc_id AS new_document,
        held.position IS NOT DISTINCT FROM incoming.position AS same_place,
        struct_pack(
            id := held.chunk_id, doc_id := held.doc_id, text := held.text, hash := held.text_hash,
            version := held.version, valid_from := held.valid_from, valid_to := held.valid_to, seen := held.observed_at,
            permitted := held.permitted
        ) IS NOT DISTINCT FROM struct_pack(
            id := incoming.chunk_id, doc_id := incoming.doc_id, text := incoming.text, hash := incoming.text_hash,
            version := incoming.version, valid_from := incoming.valid_from, valid_to := incoming.valid_to,
            seen := incoming.observed_at, permitted := incoming.permitted
        ) AS same
    FROM held
    FULL JOIN incoming_chunk AS incoming ON incoming.chunk_id = held.chunk_id
),
changed AS (
    SELECT old_document AS doc_id FROM matched WHERE NOT same
    UNION
    SELECT new_document FROM matched WHERE NOT same
)
SELECT matched.stored, matched.chunk_id
FROM matched
LEFT JOIN changed ON changed.doc_id = matched.new_document
WHERE NOT matched.same OR (changed.doc_id IS NOT NULL AND NOT matched.same_place)
