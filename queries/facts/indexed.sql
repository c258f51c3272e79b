-- What the loaded snapshots know of the evidence. Small: gold against corpus, not requests against corpus.
-- Grain: one row a required group in a loaded snapshot (snapshot_id, case_id, group_no).
-- Parameters: $stopwords, words that do not count as shared.
-- `words` are the content words of the indexed alternatives; `texts_known` tells whether all of their texts are loaded.
SELECT
    corpus_snapshot.snapshot_id,
    gold_evidence.case_id,
    gold_evidence.group_no,
    count(corpus_chunk.chunk_id) > 0 AS any_indexed,
    count(corpus_chunk.chunk_id) = count(corpus_chunk.text) AS texts_known,
    list_filter(
        list_distinct(flatten(list(coalesce(words_of(corpus_chunk.text), CAST([] AS VARCHAR[]))))),
        lambda word: NOT list_contains(CAST($stopwords AS VARCHAR[]), word)
    ) AS words
FROM corpus_snapshot
CROSS JOIN gold_evidence
LEFT JOIN corpus_chunk
    ON corpus_chunk.snapshot_id = corpus_snapshot.snapshot_id AND corpus_chunk.chunk_id = gold_evidence.chunk_id
GROUP BY corpus_snapshot.snapshot_id, gold_evidence.case_id, gold_evidence.group_no
