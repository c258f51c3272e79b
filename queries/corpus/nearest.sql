-- The series of snapshots whose newest one is most like an incoming file.
-- Grain: one row, none when no series shares at least half of the chunks: such a file is better stored on its own. Columns: series; place, of its newest snapshot; base_id, that one;
-- shared, how many chunks are the same in both.
SELECT newest.series, newest.place, newest.snapshot_id AS base_id, count(*) AS shared
FROM incoming_chunk AS incoming
JOIN corpus_stored_chunk AS stored
    ON stored.chunk_id = incoming.chunk_id
    AND struct_pack(
        doc_id := stored.doc_id, text := stored.text, hash := stored.text_hash, version := stored.version,
        valid_from := stored.valid_from, valid_to := stored.valid_to, seen := stored.observed_at, permitted := stored.permitted
    ) IS NOT DISTINCT FROM struct_pack(
        doc_id := incoming.doc_id, text := incoming.text, hash := incoming.text_hash, version := incoming.version,
        valid_from := incoming.valid_from, valid_to := incoming.valid_to, seen := incoming.observed_at, permitted := incoming.permitted
    )
JOIN corpus_snapshot AS newest ON newest.series = stored.series
WHERE stored.last_place IS NULL
  AND newest.place = (SELECT max(place) FROM corpus_snapshot AS other WHERE other.series = newest.series)
GROUP BY newest.series, newest.place, newest.snapshot_id, newest.loaded_at
HAVING count(*) * 2 >= (SELECT count(*) FROM incoming_chunk)
ORDER BY shared DESC, newest.loaded_at DESC
LIMIT 1;
