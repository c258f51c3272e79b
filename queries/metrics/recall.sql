-- Recall at 1, 2, 3, 5, 10, 20 and 50: how much of the required evidence is within so many ranks.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   recall_1 … recall_50: mean over `requests` of the share of required groups with an alternative at a rank within the
--     cutoff, in the final ranking. A rank is the first place of an id in the recorded order. NULL without any request.
--   requests: labelled requests that require evidence and whose ranking is known: the denominator.
--   without_ranking: those left out because no ranking was recorded, it has hits without an id, or their evidence is
--     named by a quote that was not looked for in their snapshot.
--   known_depth: the shortest ranking counted that is not known to be complete; recall beyond that rank is a lower
--     bound. NULL where every ranking is complete.
WITH share AS (
    SELECT
        request_run_id,
        request_id,
        bool_and(ranked) AS ranked,
        any_value(known_depth) AS known_depth,
        count(*) FILTER (rank <= 1) / count(*) AS at_1,
        count(*) FILTER (rank <= 2) / count(*) AS at_2,
        count(*) FILTER (rank <= 3) / count(*) AS at_3,
        count(*) FILTER (rank <= 5) / count(*) AS at_5,
        count(*) FILTER (rank <= 10) / count(*) AS at_10,
        count(*) FILTER (rank <= 20) / count(*) AS at_20,
        count(*) FILTER (rank <= 50) / count(*) AS at_50
    FROM evidence_rank
    GROUP BY request_run_id, request_id
)
SELECT
    request_run_id,
    avg(at_1) FILTER (ranked) AS recall_1,
    avg(at_2) FILTER (ranked) AS recall_2,
    avg(at_3) FILTER (ranked) AS recall_3,
    avg(at_5) FILTER (ranked) AS recall_5,
    avg(at_10) FILTER (ranked) AS recall_10,
    avg(at_20) FILTER (ranked) AS recall_20,
    avg(at_50) FILTER (ranked) AS recall_50,
    count(*) FILTER (ranked) AS requests,
    count(*) FILTER (NOT ranked) AS without_ranking,
    min(known_depth) FILTER (ranked) AS known_depth
FROM share
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
