-- Recall@n: the share of the required evidence that is among the first n of the final ranking, averaged over questions.
-- Grain: one row a replay (request.run_id), in the order in which they were replayed. k cuts the prompt, not the
-- ranking, so that replays of one ranking agree.
-- Columns: run_id, recall_1, recall_2, recall_5, recall_10, recall_50.
WITH evidence AS ( -- every group is required, any member satisfies it: the best-placed one counts
    SELECT
        request.request_id,
        gold_evidence.group_no,
        min(nullif(list_position(request.ranked_ids, gold_evidence.chunk_id), 0)) AS rank
    FROM current_label
    JOIN request ON request.request_id = current_label.request_id
    JOIN gold_evidence ON gold_evidence.case_id = current_label.case_id
    GROUP BY request.request_id, gold_evidence.group_no
),
found AS (
    SELECT
        request_id,
        avg(CAST(coalesce(rank <= 1, FALSE) AS INTEGER)) AS share_1,
        avg(CAST(coalesce(rank <= 2, FALSE) AS INTEGER)) AS share_2,
        avg(CAST(coalesce(rank <= 5, FALSE) AS INTEGER)) AS share_5,
        avg(CAST(coalesce(rank <= 10, FALSE) AS INTEGER)) AS share_10,
        avg(CAST(coalesce(rank <= 50, FALSE) AS INTEGER)) AS share_50
    FROM evidence
    GROUP BY request_id
)
SELECT
    request.run_id,
    avg(share_1) AS recall_1,
    avg(share_2) AS recall_2,
    avg(share_5) AS recall_5,
    avg(share_10) AS recall_10,
    avg(share_50) AS recall_50
FROM found
JOIN request ON request.request_id = found.request_id
GROUP BY request.run_id
ORDER BY min(request.started_at)
