-- The loaded snapshots, the newest first.
-- Grain: one row a snapshot. Columns: chunks and documents it holds; base_id, the snapshot that it is stored as a
-- difference to; stored, its chunks that are new or changed since; with_text, windowed, restricted: chunks with a text, a
-- validity window, permissions; source; loaded_at; observed_at, the newest.
WITH based AS (
    SELECT
        corpus_snapshot.*,
        lag(snapshot_id) OVER (PARTITION BY series ORDER BY place) AS base_id,
        coalesce(lag(place) OVER (PARTITION BY series ORDER BY place), 0) AS base_place
    FROM corpus_snapshot
)
SELECT
    based.snapshot_id,
    based.chunks,
    count(DISTINCT stored.doc_id) AS documents,
    based.base_id,
    count(*) FILTER (stored.first_place > based.base_place) AS stored,
    count(stored.text) AS with_text,
    count(*) FILTER (stored.valid_from IS NOT NULL OR stored.valid_to IS NOT NULL) AS windowed,
    count(stored.permitted) AS restricted,
    based.source,
    based.loaded_at,
    coalesce(based.observed_at, max(stored.observed_at)) AS observed_at
FROM based
LEFT JOIN corpus_stored_chunk AS stored
    ON stored.series = based.series
    AND stored.first_place <= based.place
    AND (stored.last_place IS NULL OR stored.last_place >= based.place)
GROUP BY based.snapshot_id, based.chunks, based.base_id, based.source, based.loaded_at, based.observed_at
ORDER BY based.loaded_at DESC, based.snapshot_id
