-- How many questions of each replay carry each label.
-- Grain: one row a replay (request.run_id), in the order in which they were replayed.
-- Columns: run_id, k, questions, complete (both passages were in the prompt, so that only the missing answer stopped the
-- walk), below_k, demoted, not_ranked, other (anything else: 0 here).
SELECT
    request.run_id,
    current_label.k,
    count(*) AS questions,
    count(*) FILTER (current_label.label = 'unknown.answer' AND current_label.retrieved) AS complete,
    count(*) FILTER (current_label.label = 'retrieval.below_k') AS below_k,
    count(*) FILTER (current_label.label = 'rerank.demoted') AS demoted,
    count(*) FILTER (current_label.label = 'retrieval.not_ranked') AS not_ranked,
    questions - complete - below_k - demoted - not_ranked AS other
FROM current_label
JOIN request ON request.request_id = current_label.request_id
GROUP BY request.run_id, current_label.k
ORDER BY min(request.started_at)
