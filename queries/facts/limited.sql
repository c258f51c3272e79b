-- Evidence that not everybody may see, or that was not valid at all times. Nothing where a corpus has neither.
-- Grain: one row a required group in a loaded snapshot (snapshot_id, case_id, group_no), where every indexed alternative has
-- permissions (restricted), or every one a validity window (windowed).
-- `permitted` are the groups that may see any of them; `windows` their times, `ends` being the first moment that is outside.
SELECT
    evidence.snapshot_id,
    evidence.case_id,
    evidence.group_no,
    count(corpus_chunk.permitted) = count(*) AS restricted,
    list_distinct(flatten(list(coalesce(corpus_chunk.permitted, CAST([] AS VARCHAR[]))))) AS permitted,
    count(coalesce(corpus_chunk.valid_from, corpus_chunk.valid_to)) = count(*) AS windowed,
    list(struct_pack(starts := corpus_chunk.valid_from, ends := corpus_chunk.valid_to)) AS windows
FROM evidence
JOIN corpus_chunk
    ON corpus_chunk.snapshot_id = evidence.snapshot_id AND corpus_chunk.chunk_id = evidence.chunk_id
GROUP BY evidence.snapshot_id, evidence.case_id, evidence.group_no
HAVING count(corpus_chunk.permitted) = count(*) OR count(coalesce(corpus_chunk.valid_from, corpus_chunk.valid_to)) = count(*)
