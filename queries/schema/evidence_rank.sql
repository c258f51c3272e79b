-- At which rank of the final ranking each required group of evidence was found.
-- Grain: one row a required group of a labelled request (request_id, group_no).
-- Columns: `ranked` is whether the rank is known: the ranking was recorded, every hit has an id, and the evidence is known
-- in the snapshot of the request. `rank` is that of the best-placed alternative, the first place of its id in the recorded
-- order; NULL where none is in the ranking. `known_depth` is the length of a ranking that is not known to be complete, and
-- NULL for a complete one.
CREATE OR REPLACE VIEW evidence_rank AS
WITH required AS (
    SELECT
        snapshot_id,
        case_id,
        group_no,
        coalesce(list(chunk_id ORDER BY member_no) FILTER (chunk_id IS NOT NULL), []) AS alternatives,
        bool_and(evidence_known) AS evidence_known
    FROM required_evidence
    GROUP BY snapshot_id, case_id, group_no
)
SELECT
    labelled_snapshot.request_run_id,
    labelled_snapshot.request_id,
    labelled_snapshot.case_id,
    required.group_no,
    required.alternatives,
    required.evidence_known AND coalesce(len(request.ranked_ids) = list_count(request.ranked_ids), FALSE) AS ranked,
    CASE WHEN request.ranking_complete THEN NULL ELSE len(request.ranked_ids) END AS known_depth,
    list_min(list_transform(
        required.alternatives, lambda id: nullif(array_position(request.ranked_ids, id), 0)
    )) AS rank
FROM labelled_snapshot
JOIN request USING (request_id)
JOIN required
    ON required.case_id = labelled_snapshot.case_id
    AND required.snapshot_id = labelled_snapshot.snapshot_id;
