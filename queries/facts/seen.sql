-- What the request shows of each required group, beside what gold and the judges say.
-- Grain: as in `placed`.
-- Parameters: $k takes the place of the recorded k where it is not NULL; $default_k stands in where none is recorded;
-- $default_snapshot is the snapshot of requests that name none.
-- The join back to the request is a barrier: it keeps the list searches of `placed` from being repeated at every use.
-- `first_*` is the first-stage ranking: the candidates where there is a rerank stage, else the ranking.
SELECT
    placed.request_id,
    placed.case_id,
    placed.group_no,
    placed.alternatives,
    placed.final_rank,
    placed.candidate_rank,
    placed.prompt_rank,
    placed.cited_rank,
    CASE WHEN subject.has_rerank THEN placed.candidate_rank ELSE placed.final_rank END AS first_rank,
    CASE
        WHEN subject.has_rerank THEN element_at_rank(subject.candidate_scores, placed.candidate_rank)
        ELSE element_at_rank(subject.ranked_scores, placed.final_rank)
    END AS first_score,
    CASE WHEN subject.has_rerank THEN subject.candidate_score_kind ELSE subject.score_kind END AS first_kind,
    CASE WHEN subject.has_rerank THEN len(subject.candidate_ids) ELSE len(subject.ranked_ids) END AS depth,
    subject.ranked_ids IS NOT NULL AS final_recorded,
    CASE WHEN subject.has_rerank THEN subject.candidate_ids IS NOT NULL ELSE subject.ranked_ids IS NOT NULL END
        AS first_recorded,
    -- A hit without an id might be the evidence: it must not prove an absence.
    placed.final_rank IS NULL AND len(subject.ranked_ids) > list_count(subject.ranked_ids) AS final_has_gaps,
    placed.candidate_rank IS NULL AND len(subject.candidate_ids) > list_count(subject.candidate_ids)
        AS candidates_have_gaps,
    placed.prompt_rank IS NULL AND len(subject.prompt_ids) > list_count(subject.prompt_ids) AS prompt_has_gaps,
    subject.ranking_complete,
    subject.has_rerank,
    coalesce(CAST($k AS BIGINT), subject.k, CAST($default_k AS BIGINT)) AS k,
    subject.prompt_ids IS NOT NULL AS prompt_recorded,
    subject.cited_ids IS NOT NULL AS citations_recorded,
    CASE
        WHEN placed.prompt_rank IS NULL AND subject.dropped IS NOT NULL
        THEN list_filter(subject.dropped, lambda chunk: list_contains(placed.alternatives, chunk.id))[1].reason
    END AS drop_reason,
    coalesce(subject.retrieval_query, subject.query, gold_case.query) AS searched_text,
    subject.answer IS NULL AS answer_is_missing,
    list_contains(subject.missing, 'dropped_attributes') AS attributes_were_dropped,
    CASE WHEN NOT coalesce(subject.answered, FALSE) THEN coalesce(subject.error_stage, '') ELSE '' END AS failed_stage,
    gold_case.expect,
    newest_verdict.refused,
    newest_verdict.clarified,
    newest_verdict.correct,
    newest_verdict.grounded,
    corpus_snapshot.snapshot_id IS NOT NULL AS corpus_loaded,
    indexed.any_indexed,
    indexed.texts_known,
    indexed.words
FROM placed
JOIN subject ON subject.request_id = placed.request_id
JOIN gold_case ON gold_case.case_id = placed.case_id
LEFT JOIN newest_verdict ON newest_verdict.request_id = placed.request_id
LEFT JOIN corpus_snapshot ON corpus_snapshot.snapshot_id = coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR))
LEFT JOIN indexed
    ON indexed.snapshot_id = corpus_snapshot.snapshot_id
    AND indexed.case_id = placed.case_id
    AND indexed.group_no = placed.group_no
