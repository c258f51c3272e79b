-- The required evidence of a case against the lists of one request.
-- Grain: one row a member of a required group (group_no, member_no).
-- Parameters: $request_id, $case_id.
-- Ranks are 1-based; `indexed` is NULL where no corpus snapshot of the request is loaded. The snapshot is the one that its
-- newest labelling used.
SELECT
    gold_evidence.group_no,
    gold_evidence.member_no,
    gold_evidence.chunk_id,
    list_position(request.ranked_ids, gold_evidence.chunk_id) AS rank,
    request.ranked_scores[list_position(request.ranked_ids, gold_evidence.chunk_id)] AS score,
    list_position(request.candidate_ids, gold_evidence.chunk_id) AS candidate_rank,
    list_contains(request.prompt_ids, gold_evidence.chunk_id) AS in_prompt,
    list_contains(request.cited_ids, gold_evidence.chunk_id) AS cited,
    CASE WHEN corpus_snapshot.snapshot_id IS NOT NULL THEN corpus_chunk.chunk_id IS NOT NULL END AS indexed,
    corpus_chunk.text
FROM gold_evidence
JOIN request ON request.request_id = CAST($request_id AS UUID)
LEFT JOIN corpus_snapshot
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
LEFT JOIN corpus_chunk
    ON corpus_chunk.snapshot_id = corpus_snapshot.snapshot_id AND corpus_chunk.chunk_id = gold_evidence.chunk_id
WHERE gold_evidence.case_id = $case_id
ORDER BY gold_evidence.group_no, gold_evidence.member_no
