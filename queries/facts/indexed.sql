-- What the loaded snapshots know of the evidence. Small: gold against corpus, not requests against corpus.
-- Grain: one row a required group in a loaded snapshot (snapshot_id, case_id, group_no).
-- Parameters: $stopwords, words that do not count as shared.
-- `words` are the content words of the indexed alternatives; `texts_known` tells whether all of their texts are loaded.
SELECT
    evidence.snapshot_id,
    evidence.case_id,
    evidence.group_no,
    count(corpus_chunk.chunk_id) > 0 AS any_indexed,
    count(corpus_chunk.chunk_id) = count(corpus_chunk.text) AS texts_known,
    list_filter(
        list_distinct(flatten(list(coalesce(words_of(corpus_chunk.text), CAST([] AS VARCHAR[]))))),
        lambda word: NOT list_contains(CAST($stopwords AS VARCHAR[]), word)
    ) AS words
FROM evidence
LEFT JOIN corpus_chunk
    ON corpus_chunk.snapshot_id = evidence.snapshot_id AND corpus_chunk.chunk_id = evidence.chunk_id
WHERE evidence.snapshot_id <> ''
GROUP BY evidence.snapshot_id, evidence.case_id, evidence.group_no
