-- Mean reciprocal rank: how near the top the first, and the last, of the required evidence is.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   mrr: mean over `requests` of 1 / rank of the best-placed required chunk in the final ranking; 0 where none is ranked.
--   mrr_all: the same for the rank at which every required group has been found; 0 where one is not ranked.
--   requests: labelled requests that require evidence and whose ranking is known: the denominator.
--   without_ranking: those left out because no ranking was recorded, it has hits without an id, or their evidence is
--     named by a quote that was not looked for in their snapshot.
WITH reciprocal AS (
    SELECT
        request_run_id,
        request_id,
        bool_and(ranked) AS ranked,
        coalesce(1 / min(rank), 0) AS first_found,
        CASE WHEN count(rank) = count(*) THEN 1 / max(rank) ELSE 0 END AS all_found
    FROM evidence_rank
    GROUP BY request_run_id, request_id
)
SELECT
    request_run_id,
    avg(first_found) FILTER (ranked) AS mrr,
    avg(all_found) FILTER (ranked) AS mrr_all,
    count(*) FILTER (ranked) AS requests,
    count(*) FILTER (NOT ranked) AS without_ranking
FROM reciprocal
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
