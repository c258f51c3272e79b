-- At which rank of the final ranking each required group of evidence was found.
-- Grain: one row a required group of a labelled request (request_id, group_no).
-- Columns: `ranked` is whether the rank is known: the ranking was recorded, every hit has an id, and the evidence is known
-- in the snapshot of the request. `rank` is that of the best-placed alternative, the first place of its id in the recorded
-- order; NULL where none is in the ranking. `depth` is the length of the ranking; `known_depth` too, but NULL for a ranking
-- that is known to be complete.
CREATE OR REPLACE VIEW evidence_rank AS
SELECT
    request_evidence.request_run_id,
    request_evidence.request_id,
    request_evidence.case_id,
    request_evidence.group_no,
    request_evidence.alternatives,
    request_evidence.evidence_known
        AND coalesce(len(request.ranked_ids) = list_count(request.ranked_ids), FALSE) AS ranked,
    len(request.ranked_ids) AS depth,
    CASE WHEN request.ranking_complete THEN NULL ELSE len(request.ranked_ids) END AS known_depth,
    list_min(list_transform(
        request_evidence.alternatives, lambda id: nullif(array_position(request.ranked_ids, id), 0)
    )) AS rank
FROM request_evidence
JOIN request USING (request_id);
