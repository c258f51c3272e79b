-- Which chunks a person has judged for a case, and how relevant each is, in the ids of each snapshot.
-- Grain: one row a judged chunk of a case in a snapshot (snapshot_id, case_id, chunk_id); the snapshot '' stands for
-- requests whose snapshot is not loaded. `chunk_id` is NULL, once a group, for evidence that no chunk of it holds.
-- The graded relevance of a case counts; a case without any is judged by its evidence, each alternative with grade 1, and
-- not at all where some of it is named by a quote that was not looked for.
CREATE OR REPLACE VIEW judgment AS
WITH relevance AS (
    SELECT gold_case.case_id, entry.key AS chunk_id, CAST(entry.value AS DOUBLE) AS grade
    FROM gold_case, json_each(gold_case.relevance) AS entry
),
place AS (
    SELECT snapshot_id FROM corpus_snapshot
    UNION ALL
    SELECT '' AS snapshot_id
),
evidence AS (
    SELECT DISTINCT snapshot_id, case_id, chunk_id, CASE WHEN chunk_id IS NULL THEN group_no END AS absent_group
    FROM required_evidence
    WHERE case_id NOT IN (SELECT case_id FROM relevance)
        AND (snapshot_id, case_id) NOT IN (
            SELECT (snapshot_id, case_id) FROM required_evidence WHERE NOT evidence_known
        )
)
SELECT place.snapshot_id, relevance.case_id, relevance.chunk_id, relevance.grade, 'relevance' AS source
FROM relevance
CROSS JOIN place
UNION ALL
SELECT snapshot_id, case_id, chunk_id, 1.0, 'evidence'
FROM evidence;
