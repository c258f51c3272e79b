-- What gold requires, in the ids of each snapshot.
-- Grain: one row an alternative of a required group in a snapshot (snapshot_id, case_id, group_no, chunk_id).
-- The snapshot '' stands for requests whose snapshot is not loaded. `chunk_id` is NULL where nothing in the snapshot
-- satisfies the group, and where it is named by a quote that was not looked for (then `evidence_known` is FALSE).
CREATE OR REPLACE VIEW required_evidence AS
WITH place AS (
    SELECT snapshot_id FROM corpus_snapshot
    UNION ALL
    SELECT '' AS snapshot_id
),
done AS (SELECT DISTINCT snapshot_id, case_id FROM resolved_evidence)
SELECT
    place.snapshot_id,
    gold_evidence.case_id,
    gold_evidence.group_no,
    gold_evidence.member_no,
    gold_evidence.chunk_id,
    gold_evidence.quote,
    gold_evidence.group_no AS gold_group_no,
    FALSE AS split,
    gold_evidence.quote IS NULL AS evidence_known
FROM gold_evidence
CROSS JOIN place
LEFT JOIN done ON done.snapshot_id = place.snapshot_id AND done.case_id = gold_evidence.case_id
WHERE done.case_id IS NULL
UNION ALL
SELECT
    resolved_evidence.snapshot_id,
    resolved_evidence.case_id,
    resolved_evidence.group_no,
    resolved_evidence.member_no,
    resolved_evidence.chunk_id,
    resolved_evidence.quote,
    resolved_evidence.gold_group_no,
    resolved_evidence.split,
    resolved_evidence.evidence_known
FROM resolved_evidence
JOIN corpus_snapshot ON corpus_snapshot.snapshot_id = resolved_evidence.snapshot_id
