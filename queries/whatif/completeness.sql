-- Whether all that gold requires is in the prompt that would have been.
-- Parameters: $default_snapshot is the snapshot of requests that name none.
-- Grain: one row a hypothetical request whose case requires evidence (request_id), temporary.
-- `complete` is NULL where it is not known: the prompt is not, or a chunk of it has no id of the index, or evidence is named
-- by a quote that was not looked for. Of several groups one that is missing decides.
CREATE OR REPLACE TEMP TABLE completeness AS
WITH held AS (
    SELECT
        hypothetical.request_id,
        hypothetical.prompt_ids,
        len(hypothetical.prompt_ids) > list_count(hypothetical.prompt_ids)
            OR coalesce(hypothetical.id_source IN ('foreign', 'text_match_partly'), FALSE) AS gaps,
        joined.case_id,
        coalesce(corpus_snapshot.snapshot_id, '') AS snapshot_id
    FROM hypothetical
    JOIN joined ON joined.request_id = hypothetical.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(hypothetical.snapshot_id, CAST($default_snapshot AS VARCHAR))
),
required AS (
    SELECT
        snapshot_id,
        case_id,
        group_no,
        coalesce(list(chunk_id) FILTER (chunk_id IS NOT NULL), CAST([] AS VARCHAR[])) AS alternatives,
        bool_and(evidence_known) AS evidence_known
    FROM required_evidence
    GROUP BY snapshot_id, case_id, group_no
),
found AS (
    SELECT
        held.request_id,
        CASE
            WHEN held.prompt_ids IS NULL THEN 1
            WHEN list_has_any(held.prompt_ids, required.alternatives) THEN 2
            WHEN held.gaps OR NOT required.evidence_known THEN 1
            ELSE 0
        END AS there
    FROM held
    JOIN required ON required.case_id = held.case_id AND required.snapshot_id = held.snapshot_id
)
SELECT request_id, nullif(min(there), 1) = 2 AS complete
FROM found
GROUP BY request_id
