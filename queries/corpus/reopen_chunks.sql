-- Where the newest snapshot of a series was dropped, chunks that ended with the one before it are the newest again.
-- Grain: changes one row of corpus_stored_chunk a chunk of what is now the newest snapshot.
-- Parameters: $series, the series.
UPDATE corpus_stored_chunk
SET last_place = NULL
WHERE series = $series
  AND last_place >= (SELECT max(place) FROM corpus_snapshot WHERE series = $series)
  AND first_place <= (SELECT max(place) FROM corpus_snapshot WHERE series = $series)
