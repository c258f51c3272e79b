-- What a request shows as a whole.
-- Grain: one row a request (request_id).
-- Parameters: $k takes the place of the recorded k where it is not NULL; $default_k stands in where none is recorded;
-- $default_snapshot is the snapshot of requests that name none.
-- `first_*` is the first-stage ranking: the candidates where there is a rerank stage, else the ranking. `*_gaps`: a list
-- holds a hit without an id, which might be the evidence and must not prove an absence. `ids_foreign`: it holds ids that are
-- none of the snapshot, in the place of those of chunks; each might be the evidence, too.
SELECT
    subject.request_id,
    subject.ranked_ids,
    subject.candidate_ids,
    subject.prompt_ids,
    subject.cited_ids,
    subject.has_rerank,
    CASE WHEN subject.has_rerank THEN subject.candidate_scores ELSE subject.ranked_scores END AS first_scores,
    CASE WHEN subject.has_rerank THEN subject.candidate_score_kind ELSE subject.score_kind END AS first_kind,
    CASE WHEN subject.has_rerank THEN len(subject.candidate_ids) ELSE len(subject.ranked_ids) END AS depth,
    subject.ranked_ids IS NOT NULL AS final_recorded,
    CASE WHEN subject.has_rerank THEN subject.candidate_ids IS NOT NULL ELSE subject.ranked_ids IS NOT NULL END
        AS first_recorded,
    len(subject.ranked_ids) > list_count(subject.ranked_ids) AS final_gaps,
    len(subject.candidate_ids) > list_count(subject.candidate_ids) AS candidate_gaps,
    len(subject.prompt_ids) > list_count(subject.prompt_ids) AS prompt_gaps,
    subject.ranking_complete,
    coalesce(CAST($k AS BIGINT), subject.k, CAST($default_k AS BIGINT)) AS k,
    subject.prompt_ids IS NOT NULL AS prompt_recorded,
    subject.cited_ids IS NOT NULL AS citations_recorded,
    subject.dropped,
    coalesce(subject.retrieval_query, subject.query) AS searched_text,
    subject.answer IS NULL AS answer_is_missing,
    list_contains(subject.missing, 'dropped_attributes') AS attributes_were_dropped,
    CASE WHEN NOT coalesce(subject.answered, FALSE) THEN coalesce(subject.error_stage, '') ELSE '' END AS failed_stage,
    coalesce(subject.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
    subject.started_at,
    subject.user_groups,
    coalesce(subject.id_source IN ('foreign', 'text_match_partly'), FALSE) AS ids_foreign
FROM subject
