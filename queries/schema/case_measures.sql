-- Measures of each case within a group of requests: what means and intervals are made of, since cases are what is sampled.
-- Grain: one row a case of a group and a cutoff (group_value, case_id, k); k NULL is the whole ranking.
-- Parameters (by name): grouped_by, a dimension of request_group; the others are those of request_measures.
-- A measure is its mean over the requests of the case whose ranking is known, and NULL where there is none, or where no
-- request has a denominator. `requests` and `without_ranking` count requests.
CREATE OR REPLACE MACRO case_measures(
    grouped_by := 'run',
    ks := [1, 3, 5, 10],
    gain := 'linear',
    discount := 'log2',
    unjudged := 'nonrelevant',
    hit_order := 'recorded',
    repeats := 'drop',
    relevant_from := 1
) AS TABLE
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
    ks := ks,
    gain := gain,
    discount := discount,
    unjudged := unjudged,
    hit_order := hit_order,
    repeats := repeats,
    relevant_from := relevant_from
) AS measured
JOIN request_group USING (request_id)
WHERE request_group.dimension = CASE
    WHEN grouped_by IN ('all', 'run', 'tag', 'prompt_version', 'retriever', 'service', 'snapshot', 'day') THEN grouped_by
    ELSE error(
        'by: found ' || grouped_by
        || ', wanted all, run, tag, prompt_version, retriever, service, snapshot or day'
    )
END
GROUP BY request_group.value, measured.case_id, measured.k;
