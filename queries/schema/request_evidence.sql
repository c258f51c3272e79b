-- What gold requires of each labelled request, in the ids of the snapshot that it is held against.
-- Grain: one row a required group of a labelled request (request_id, group_no). Any of `alternatives` satisfies the group;
-- the list is empty where no chunk of the snapshot does. `evidence_known` is FALSE where an alternative is named by a quote
-- that was not looked for in that snapshot.
CREATE OR REPLACE VIEW request_evidence AS
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
    required.evidence_known
FROM labelled_snapshot
JOIN required
    ON required.case_id = labelled_snapshot.case_id
    AND required.snapshot_id = labelled_snapshot.snapshot_id;
