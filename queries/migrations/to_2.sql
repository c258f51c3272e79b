-- Schema version 1 to 2: evidence by quote, snapshots as differences, verdicts with judge and target, joined traces.
-- Grain: none; tables are changed in place. Tables that are new are created afterwards, from queries/schema.
ALTER TABLE request ADD COLUMN IF NOT EXISTS trace_ids UUID[];
ALTER TABLE request ADD COLUMN IF NOT EXISTS session_id VARCHAR;
ALTER TABLE request ADD COLUMN IF NOT EXISTS user_groups VARCHAR[];
ALTER TABLE request ADD COLUMN IF NOT EXISTS id_source VARCHAR;
ALTER TABLE request ADD COLUMN IF NOT EXISTS id_snapshot VARCHAR;
ALTER TABLE request ADD COLUMN IF NOT EXISTS hit_texts BOOLEAN;

ALTER TABLE gold_case ADD COLUMN IF NOT EXISTS acceptable_sources VARCHAR[];
ALTER TABLE gold_case ADD COLUMN IF NOT EXISTS source VARCHAR;
ALTER TABLE gold_case ADD COLUMN IF NOT EXISTS file VARCHAR;
ALTER TABLE gold_case ADD COLUMN IF NOT EXISTS line UBIGINT;
ALTER TABLE gold_evidence ALTER COLUMN chunk_id DROP NOT NULL;
ALTER TABLE gold_evidence ADD COLUMN IF NOT EXISTS doc_id VARCHAR;
ALTER TABLE gold_evidence ADD COLUMN IF NOT EXISTS quote VARCHAR;

ALTER TABLE verdict ADD COLUMN IF NOT EXISTS target VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS claim_id VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS claim VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS score DOUBLE;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS failure VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS judge VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS prompt_version VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS extractor_version VARCHAR;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS repeat_no UINTEGER DEFAULT 1;
ALTER TABLE verdict ALTER COLUMN repeat_no SET NOT NULL;
ALTER TABLE verdict ADD COLUMN IF NOT EXISTS origin VARCHAR;

-- Each snapshot becomes a series of its own: what it shares with others is found again when it is loaded anew.
ALTER TABLE corpus_snapshot RENAME TO corpus_snapshot_1;
CREATE TABLE corpus_snapshot (
    snapshot_id VARCHAR NOT NULL,
    chunks UBIGINT NOT NULL,
    source VARCHAR NOT NULL,
    loaded_at TIMESTAMP NOT NULL,
    series UINTEGER NOT NULL,
    place UINTEGER NOT NULL,
    observed_at TIMESTAMP
);
INSERT INTO corpus_snapshot BY NAME
SELECT *, row_number() OVER (ORDER BY loaded_at, snapshot_id) AS series, 1 AS place
FROM corpus_snapshot_1;
DROP TABLE corpus_snapshot_1;
CREATE TABLE corpus_stored_chunk (
    series UINTEGER NOT NULL,
    first_place UINTEGER NOT NULL,
    last_place UINTEGER,
    chunk_id VARCHAR NOT NULL,
    doc_id VARCHAR,
    position UINTEGER,
    text VARCHAR,
    text_hash VARCHAR,
    version VARCHAR,
    valid_from TIMESTAMP,
    valid_to TIMESTAMP,
    observed_at TIMESTAMP,
    permitted VARCHAR[]
);
INSERT INTO corpus_stored_chunk BY NAME
SELECT
    corpus_snapshot.series,
    1 AS first_place,
    corpus_chunk.chunk_id,
    corpus_chunk.doc_id,
    CASE WHEN corpus_chunk.doc_id IS NOT NULL THEN
        row_number() OVER (PARTITION BY corpus_chunk.snapshot_id, corpus_chunk.doc_id ORDER BY corpus_chunk.rowid)
    END AS position,
    corpus_chunk.text,
    corpus_chunk.version,
    corpus_chunk.valid_from,
    corpus_chunk.valid_to,
    corpus_chunk.observed_at,
    corpus_chunk.permitted
FROM corpus_chunk
JOIN corpus_snapshot ON corpus_snapshot.snapshot_id = corpus_chunk.snapshot_id;
DROP TABLE corpus_chunk;
