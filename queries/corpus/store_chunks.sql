-- Store the incoming chunks that are new or changed in a snapshot.
-- Grain: one row of corpus_stored_chunk for each row of corpus_difference that names an incoming chunk.
-- Parameters: $series and $place of the snapshot.
INSERT INTO corpus_stored_chunk BY NAME
SELECT
    CAST($series AS UINTEGER) AS series,
    CAST($place AS UINTEGER) AS first_place,
    incoming.*
FROM incoming_chunk AS incoming
SEMI JOIN corpus_difference ON corpus_difference.chunk_id = incoming.chunk_id;
