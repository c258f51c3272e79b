-- Does a stored snapshot hold the same chunks as an incoming file? The order of chunks does not count.
-- Grain: one row when the snapshot is stored, none when it is not. Column: same_content.
-- Parameters: $snapshot_id, the snapshot.
WITH stored AS (
    SELECT chunk_id, doc_id, text, version, valid_from, valid_to, observed_at, permitted
    FROM corpus_chunk
    WHERE snapshot_id = $snapshot_id
)
SELECT
    NOT EXISTS (SELECT * FROM stored EXCEPT ALL SELECT * FROM incoming_chunk)
    AND NOT EXISTS (SELECT * FROM incoming_chunk EXCEPT ALL SELECT * FROM stored) AS same_content
FROM corpus_snapshot
WHERE snapshot_id = $snapshot_id;
