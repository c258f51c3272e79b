-- What an incoming file says an index holds, as it is compared and stored: a time of observation that is the only one is
-- the snapshot's, and that of chunks which give none.
-- Grain: one row a chunk of the relation corpus_content (chunk_id).
-- Parameters: $observed_at, the only time; NULL where there is none or several.
CREATE OR REPLACE TEMP TABLE incoming_chunk AS
SELECT * REPLACE (CASE WHEN CAST($observed_at AS TIMESTAMP) IS NULL THEN observed_at END AS observed_at)
FROM corpus_content
