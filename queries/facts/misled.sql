-- Answers that say what a superseded version of the evidence says: a chunk of its document that was in the prompt and was
-- not valid at the time of the question, where no valid one in the prompt says it too.
-- Grain: one row a joined request with such a chunk (request_id). Nothing where a corpus has no validity windows.
-- Parameters: $default_snapshot is the snapshot of requests that name none.
-- `superseded` are these chunks. Read from the windows on, so that nothing is searched without them.
WITH windowed AS (
    SELECT DISTINCT snapshot_id, coalesce(doc_id, chunk_id) AS document
    FROM corpus_chunk
    WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL
),
document AS (
    SELECT DISTINCT evidence.snapshot_id, evidence.case_id, windowed.document
    FROM evidence
    JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = evidence.snapshot_id
        AND corpus_chunk.chunk_id = evidence.chunk_id
    JOIN windowed
        ON windowed.snapshot_id = corpus_chunk.snapshot_id
        AND windowed.document = coalesce(corpus_chunk.doc_id, corpus_chunk.chunk_id)
),
version AS (
    SELECT
        document.snapshot_id,
        document.case_id,
        corpus_chunk.chunk_id,
        corpus_chunk.valid_from,
        corpus_chunk.valid_to,
        spoken(corpus_chunk.text) AS words
    FROM document
    JOIN corpus_chunk
        ON corpus_chunk.snapshot_id = document.snapshot_id
        AND coalesce(corpus_chunk.doc_id, corpus_chunk.chunk_id) = document.document
    WHERE corpus_chunk.text IS NOT NULL
),
answered AS (
    SELECT
        subject.request_id,
        joined.case_id,
        coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
        coalesce(gold_case.as_of, subject.started_at) AS asked_at,
        subject.answer,
        unnest(subject.prompt_ids) AS chunk_id
    FROM subject
    JOIN joined ON joined.request_id = subject.request_id
    JOIN gold_case ON gold_case.case_id = joined.case_id
    WHERE subject.answer IS NOT NULL
),
compared AS (
    SELECT
        answered.request_id,
        answered.chunk_id,
        is_valid_at(version.valid_from, version.valid_to, answered.asked_at) AS valid,
        version.words,
        words_of(claimed(answered.answer)) AS claim
    FROM version
    JOIN answered
        ON answered.snapshot_id = version.snapshot_id
        AND answered.case_id = version.case_id
        AND answered.chunk_id = version.chunk_id
    WHERE answered.asked_at IS NOT NULL
)
SELECT request_id, list(DISTINCT chunk_id) FILTER (NOT valid) AS superseded
FROM compared
WHERE says(words, claim)
GROUP BY request_id
HAVING max(CASE WHEN valid THEN 1 ELSE 0 END) = 0
