-- The required evidence of a case against the lists of one request.
-- Grain: one row an alternative of a required group (group_no, member_no).
-- Parameters: $request_id, $case_id.
-- Ranks are 1-based; `indexed` is NULL where no corpus snapshot of the request is loaded. The snapshot is the one that its
-- newest labelling used. `chunk_id` is NULL where evidence is named by a quote and no chunk is known to hold it; `quote` is
-- that passage. `split`: chunking cut the passage, and the group is a part of it.
WITH held AS (
    SELECT corpus_snapshot.snapshot_id
    FROM request
    JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(
            request.snapshot_id,
            (
                SELECT label_run.config ->> 'default_snapshot'
                FROM label_run
                JOIN label ON label.run_id = label_run.run_id
                WHERE label.request_id = CAST($request_id AS UUID)
                ORDER BY label_run.run_id DESC
                LIMIT 1
            ),
            (SELECT arg_max(newest.snapshot_id, newest.loaded_at) FROM corpus_snapshot AS newest)
        )
    WHERE request.request_id = CAST($request_id AS UUID)
),
needed AS (
    SELECT *
    FROM required_evidence
    WHERE required_evidence.case_id = $case_id
      AND required_evidence.snapshot_id = coalesce((SELECT snapshot_id FROM held), '')
)
SELECT
    needed.group_no,
    needed.member_no,
    needed.chunk_id,
    list_position(request.ranked_ids, needed.chunk_id) AS rank,
    request.ranked_scores[list_position(request.ranked_ids, needed.chunk_id)] AS score,
    list_position(request.candidate_ids, needed.chunk_id) AS candidate_rank,
    list_contains(request.prompt_ids, needed.chunk_id) AS in_prompt,
    list_contains(request.cited_ids, needed.chunk_id) AS cited,
    CASE
        WHEN needed.snapshot_id = '' OR NOT needed.evidence_known AND needed.chunk_id IS NULL THEN NULL
        ELSE corpus_chunk.chunk_id IS NOT NULL
    END AS indexed,
    corpus_chunk.text,
    CASE
        WHEN needed.chunk_id IS NULL AND needed.quote IS NULL
        THEN (
            SELECT min(gold_evidence.quote)
            FROM gold_evidence
            WHERE gold_evidence.case_id = needed.case_id AND gold_evidence.group_no = needed.gold_group_no
        )
        ELSE needed.quote
    END AS quote,
    needed.split
FROM needed
JOIN request ON request.request_id = CAST($request_id AS UUID)
LEFT JOIN corpus_chunk ON corpus_chunk.snapshot_id = needed.snapshot_id AND corpus_chunk.chunk_id = needed.chunk_id
ORDER BY needed.group_no, needed.member_no
