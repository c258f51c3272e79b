-- The same as case_value, over the requests of one run.
-- Grain: one row a case of a group and a cutoff (group_value, case_id, k), in the order of case_value.
-- Parameters:
--   $pipeline, only requests of this run of the pipeline, NULL for all; $labelling, only requests of this labelling, NULL for
--   all.
--   $grouped_by: a dimension of request_group.
--   $ks: the cutoffs.
--   $gain, $discount, $unjudged, $order, $repeats, $relevant_from: choices, see queries/metrics/request_measures.sql.
SELECT
    request_group.value AS group_value,
    measured.case_id,
    measured.k,
    count(*) AS requests,
    count(*) FILTER (NOT measured.ranking_known) AS without_ranking,
    avg(measured."precision") AS "precision",
    avg(measured.recall_judged) AS recall_judged,
    avg(measured.recall_groups) AS recall_groups,
    avg(measured.hit) AS hit,
    avg(measured.reciprocal_rank) AS reciprocal_rank,
    avg(measured.average_precision) AS average_precision,
    avg(measured.context_precision) AS context_precision,
    avg(measured.ndcg) AS ndcg,
    avg(measured.judged_share) AS judged_share,
    min(measured.known_depth) AS known_depth
FROM request_measures(
    ks := CAST($ks AS INTEGER[]),
    gain := CAST($gain AS VARCHAR),
    discount := CAST($discount AS VARCHAR),
    unjudged := CAST($unjudged AS VARCHAR),
    hit_order := CAST($order AS VARCHAR),
    repeats := CAST($repeats AS VARCHAR),
    relevant_from := CAST($relevant_from AS DOUBLE)
) AS measured
JOIN request_group USING (request_id)
WHERE request_group.dimension = CAST($grouped_by AS VARCHAR)
    AND (
        $pipeline IS NULL
        OR measured.request_id IN (SELECT request.request_id FROM request WHERE request.run_id = CAST($pipeline AS VARCHAR))
    )
    AND (
        $labelling IS NULL
        OR measured.request_id IN (SELECT label.request_id FROM label WHERE label.run_id = CAST($labelling AS VARCHAR))
    )
GROUP BY request_group.value, measured.case_id, measured.k
ORDER BY group_value NULLS LAST, measured.case_id, measured.k NULLS LAST;
