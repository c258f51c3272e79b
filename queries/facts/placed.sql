-- Where the required evidence stands in the lists of the request. The only step that searches id lists; they go no further.
-- Grain: one row a required group of a joined request (request_id, group_no); group 0 where nothing is required.
-- A rank is 1-based and that of the best-placed alternative; NULL where none is in the list, or the list is not recorded.
SELECT
    shown.* EXCLUDE (ranked_ids, candidate_ids, prompt_ids, cited_ids),
    corpus_snapshot.snapshot_id IS NOT NULL AS corpus_loaded,
    joined.case_id,
    coalesce(required.group_no, 0) AS group_no,
    required.alternatives,
    coalesce(required.evidence_known, TRUE) AS evidence_known,
    CASE WHEN shown.ranked_ids IS NOT NULL THEN list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(shown.ranked_ids, id), 0)
    )) END AS final_rank,
    CASE WHEN shown.candidate_ids IS NOT NULL THEN list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(shown.candidate_ids, id), 0)
    )) END AS candidate_rank,
    CASE WHEN shown.prompt_ids IS NOT NULL THEN list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(shown.prompt_ids, id), 0)
    )) END AS prompt_rank,
    CASE WHEN shown.cited_ids IS NOT NULL THEN list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(shown.cited_ids, id), 0)
    )) END AS cited_rank
FROM shown
JOIN joined ON joined.request_id = shown.request_id
LEFT JOIN corpus_snapshot ON corpus_snapshot.snapshot_id = shown.snapshot_id
LEFT JOIN required
    ON required.case_id = joined.case_id
    AND required.snapshot_id = coalesce(corpus_snapshot.snapshot_id, '')
