-- Remove what no snapshot of a series holds any more.
-- Grain: removes one row of corpus_stored_chunk a chunk that lies between the snapshots that are left.
-- Parameters: $series, the series.
DELETE FROM corpus_stored_chunk AS stored
WHERE series = $series
  AND NOT EXISTS (
      SELECT 1
      FROM corpus_snapshot
      WHERE corpus_snapshot.series = stored.series
        AND corpus_snapshot.place >= stored.first_place
        AND (stored.last_place IS NULL OR corpus_snapshot.place <= stored.last_place)
  )
