-- Where the required evidence stands in the lists of the request. The only step that searches id lists.
-- Grain: one row a required group of a joined request (request_id, group_no); group 0 where nothing is required.
-- A rank is 1-based and that of the best-placed alternative; NULL where none is in the list, or the list is not recorded.
SELECT
    joined.request_id,
    joined.case_id,
    coalesce(required.group_no, 0) AS group_no,
    required.alternatives,
    list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(subject.ranked_ids, id), 0)
    )) AS final_rank,
    list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(subject.candidate_ids, id), 0)
    )) AS candidate_rank,
    list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(subject.prompt_ids, id), 0)
    )) AS prompt_rank,
    list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(subject.cited_ids, id), 0)
    )) AS cited_rank
FROM joined
JOIN subject ON subject.request_id = joined.request_id
LEFT JOIN required ON required.case_id = joined.case_id
