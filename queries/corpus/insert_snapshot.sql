-- Record that a snapshot is loaded, even if it holds no chunk.
-- Grain: one row of corpus_snapshot.
-- Parameters: $snapshot_id, the snapshot; $chunks, how many it holds; $source, the file; $loaded_at, now, UTC; $series and
-- $place, where it stands; $observed_at, when the index was seen.
INSERT INTO corpus_snapshot BY NAME
SELECT
    CAST($snapshot_id AS VARCHAR) AS snapshot_id,
    CAST($chunks AS UBIGINT) AS chunks,
    CAST($source AS VARCHAR) AS source,
    CAST($loaded_at AS TIMESTAMP) AS loaded_at,
    CAST($series AS UINTEGER) AS series,
    CAST($place AS UINTEGER) AS place,
    CAST($observed_at AS TIMESTAMP) AS observed_at;
