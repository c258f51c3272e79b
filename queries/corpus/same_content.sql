-- Does a stored snapshot hold the same chunks as an incoming file? The order of chunks does not count.
-- Grain: one row when the snapshot is stored, none when it is not. Column: same_content.
-- Parameters: $snapshot_id, the snapshot; $observed_at, the time at which all incoming chunks were seen.
WITH stored AS (
    SELECT * EXCLUDE (snapshot_id, position)
    FROM corpus_chunk
    WHERE snapshot_id = $snapshot_id
),
incoming AS (
    SELECT
        chunk_id,
        doc_id,
        text,
        coalesce(text_hash, sha256(text)) AS text_hash,
        version,
        valid_from,
        valid_to,
        coalesce(observed_at, CAST($observed_at AS TIMESTAMP)) AS observed_at,
        permitted
    FROM incoming_chunk
)
SELECT
    NOT EXISTS (SELECT * FROM stored EXCEPT ALL SELECT * FROM incoming)
    AND NOT EXISTS (SELECT * FROM incoming EXCEPT ALL SELECT * FROM stored) AS same_content
FROM corpus_snapshot
WHERE snapshot_id = $snapshot_id;
