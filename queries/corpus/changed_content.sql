-- What an index holds after the changes of a file: the chunks of a snapshot, without those that the file removes, and with
-- those that it adds or gives anew.
-- Grain: one row a chunk (chunk_id), in the shape of an incoming file.
-- Parameters: $base, the snapshot.
-- The relations corpus_given and corpus_removed hold the changes. A new chunk of a document that is there already comes
-- after the others of it.
CREATE OR REPLACE TEMP TABLE corpus_content AS
WITH base AS (
    SELECT * EXCLUDE (snapshot_id) REPLACE (CASE WHEN text IS NULL THEN text_hash END AS text_hash)
    FROM corpus_chunk
    WHERE snapshot_id = $base
)
SELECT base.*
FROM base
ANTI JOIN corpus_given ON corpus_given.chunk_id = base.chunk_id
ANTI JOIN corpus_removed ON corpus_removed.chunk_id = base.chunk_id
UNION ALL BY NAME
SELECT
    given.* REPLACE (
        CASE
            WHEN given.doc_id IS NULL THEN NULL
            WHEN base.doc_id = given.doc_id THEN base.position
            ELSE CAST(given.position + coalesce(highest.position, 0) AS UINTEGER)
        END AS position
    )
FROM corpus_given AS given
LEFT JOIN base ON base.chunk_id = given.chunk_id
LEFT JOIN (SELECT doc_id, max(position) AS position FROM base GROUP BY doc_id) AS highest
    ON highest.doc_id = given.doc_id
