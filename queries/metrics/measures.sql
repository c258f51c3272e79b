-- Retrieval measures in the mean over judged cases, by run, tag, prompt version, retriever, service, snapshot or day.
-- Grain: one row a group and a cutoff k; k NULL is the whole ranking; group NULL where the dimension is not named.
-- A measure is the mean over the cases of the group of its mean over the requests of the case, as trec_eval averages over
-- topics; cases for which it is NULL are left out of that mean. `ragfault measures` adds intervals.
-- Parameters:
--   $by: all, run, tag, prompt_version, retriever, service, snapshot or day (view request_group); default: run.
--   $k: cutoffs; default: 1,3,5,10.
--   $gain: linear or exponential; default: linear.
--   $discount: log2, jarvelin or reciprocal; default: log2.
--   $unjudged: nonrelevant or leave_out; default: nonrelevant.
--   $order: recorded or trec; default: recorded.
--   $repeats: drop or keep; default: drop.
--   $relevant_from: the lowest grade that is relevant; default: 1.
-- Columns: the measures are those of request_measures, where their formulas are.
--   mrr, map: means of reciprocal_rank and average_precision.
--   unjudged_share: 1 minus the mean of judged_share.
--   cases: judged cases of the group; requests: labelled requests of them; without_ranking: those whose ranking is not
--     known, which no mean counts.
--   known_depth: the shortest ranking that is not known to be complete; measures of a k beyond it are lower bounds or
--     estimates. NULL where every ranking is complete.
SELECT
    group_value AS "group",
    k,
    avg("precision") AS "precision",
    avg(recall_judged) AS recall_judged,
    avg(recall_groups) AS recall_groups,
    avg(hit) AS hit,
    avg(reciprocal_rank) AS mrr,
    avg(average_precision) AS map,
    avg(context_precision) AS context_precision,
    avg(ndcg) AS ndcg,
    1 - avg(judged_share) AS unjudged_share,
    count(*) AS cases,
    CAST(sum(requests) AS BIGINT) AS requests,
    CAST(sum(without_ranking) AS BIGINT) AS without_ranking,
    min(known_depth) AS known_depth
FROM case_measures(
    grouped_by := coalesce(CAST($by AS VARCHAR), 'run'),
    ks := CAST(string_split(coalesce(CAST($k AS VARCHAR), '1,3,5,10'), ',') AS INTEGER[]),
    gain := coalesce(CAST($gain AS VARCHAR), 'linear'),
    discount := coalesce(CAST($discount AS VARCHAR), 'log2'),
    unjudged := coalesce(CAST($unjudged AS VARCHAR), 'nonrelevant'),
    hit_order := coalesce(CAST($order AS VARCHAR), 'recorded'),
    repeats := coalesce(CAST($repeats AS VARCHAR), 'drop'),
    relevant_from := coalesce(CAST($relevant_from AS DOUBLE), 1)
)
GROUP BY group_value, k
ORDER BY group_value NULLS LAST, k NULLS LAST;
