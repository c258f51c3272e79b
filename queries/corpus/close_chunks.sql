-- Chunks that a new snapshot of a series no longer holds as they were end with the snapshot before it.
-- Grain: changes one row of corpus_stored_chunk for each row of corpus_difference that names one.
-- Parameters: $place, of the snapshot before.
UPDATE corpus_stored_chunk
SET last_place = CAST($place AS UINTEGER)
WHERE rowid IN (SELECT stored FROM corpus_difference WHERE stored IS NOT NULL)
