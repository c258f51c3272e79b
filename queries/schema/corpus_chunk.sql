-- Chunks of the loaded snapshots, each with its full content, whatever is stored of it.
-- Grain: one row a chunk of a snapshot (snapshot_id, chunk_id).
-- Columns: doc_id, the document; position, its place in there; text, NULL when only ids or hashes were loaded; text_hash,
-- its SHA-256; version, of the document; valid_from and valid_to, its validity, the end being the first moment at which it
-- is not valid; observed_at, when it was seen; permitted, the groups that may see it, NULL: everybody. Times are UTC.
CREATE OR REPLACE VIEW corpus_chunk AS
SELECT
    corpus_snapshot.snapshot_id,
    stored.chunk_id,
    stored.doc_id,
    stored.position,
    stored.text,
    coalesce(stored.text_hash, sha256(stored.text)) AS text_hash,
    stored.version,
    stored.valid_from,
    stored.valid_to,
    coalesce(stored.observed_at, corpus_snapshot.observed_at) AS observed_at,
    stored.permitted
FROM corpus_stored_chunk AS stored
JOIN corpus_snapshot
    ON corpus_snapshot.series = stored.series
    AND corpus_snapshot.place >= stored.first_place
    AND (stored.last_place IS NULL OR corpus_snapshot.place <= stored.last_place);
