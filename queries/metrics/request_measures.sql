-- Retrieval measures of each request against the judgments of its case, with the semantics of trec_eval.
-- Grain: one row a labelled request whose case has judgments, and a cutoff k; k NULL is the whole ranking.
-- Judgments are the graded relevance of the case, else its evidence, each alternative with grade 1, in the ids of the
-- snapshot of the request; evidence that no chunk of it holds is relevant and never found (view judgment).
-- Parameters:
--   $k: cutoffs, as in 5 or 1,3,5,10; default: 1,3,5,10. The whole ranking is measured beside them.
--   $gain: what a grade is worth: linear, the grade itself (trec_eval), or exponential, 2^grade - 1 (Burges and others
--     2005); default: linear.
--   $discount: what rank r divides by: log2, log2(1 + r) (trec_eval), jarvelin, max(1, log2 r) (Järvelin and Kekäläinen
--     2002), or reciprocal, r; default: log2.
--   $unjudged: a ranked chunk that nobody judged is nonrelevant (trec_eval), or leave_out closes the ranks over it
--     (trec_eval -J; the condensed lists of Sakai 2007); default: nonrelevant.
--   $order: recorded, the ranking as the pipeline used it, or trec, by score from the best, equal scores (in single
--     precision) by id from the last, as trec_eval has it; default: recorded.
--   $repeats: an id counts once, at its best rank; drop closes the ranks over its repeats, keep lets them hold a place;
--     default: drop.
--   $relevant_from: the lowest grade that is relevant (trec_eval -l); default: 1.
-- Columns: R is how many judged chunks of the case are relevant, r_k how many of them are within k. A measure is NULL
-- where the ranking is not known (not recorded, or a hit has no id or, for trec, no score), and where its denominator is 0.
--   precision: r_k / k, also where fewer than k are ranked (trec_eval P_k; whole ranking: r / its length, set_P).
--   recall_judged: r_k / R (recall_k; set_recall).
--   recall_groups: required groups of evidence with an alternative within k / required groups. Ranks are those of the
--     labels and of the query recall, whatever $order, $repeats and $unjudged say.
--   hit: 1 where r_k > 0, else 0 (success_k).
--   reciprocal_rank: 1 / rank of the first relevant chunk within k, else 0 (recip_rank; Voorhees 1999).
--   average_precision: sum of the precision at the rank of each relevant chunk within k, / R (map_cut_k; map).
--   context_precision: the same sum / r_k: how early the relevant ones stand among what was retrieved, not how many
--     were; the context precision of Ragas, which is 0 where this is NULL.
--   ndcg: sum of gain / discount within k, / the same of the best ranking that there could be (ndcg_cut_k; ndcg).
--   judged_share: judged chunks within k / chunks ranked within k, before any is left out: the coverage of judgments.
--   relevant: R. known_depth: the length of the ranking where it is not known to be complete; measures of a k beyond it
--     are those of the shorter ranking.
SELECT
    measured.case_id,
    measured.k,
    measured."precision",
    measured.recall_judged,
    measured.recall_groups,
    measured.hit,
    measured.reciprocal_rank,
    measured.average_precision,
    measured.context_precision,
    measured.ndcg,
    measured.judged_share,
    measured.relevant,
    measured.ranking_known,
    measured.known_depth,
    current_label.request_run_id,
    measured.request_id
FROM request_measures(
    ks := CAST(string_split(coalesce(CAST($k AS VARCHAR), '1,3,5,10'), ',') AS INTEGER[]),
    gain := coalesce(CAST($gain AS VARCHAR), 'linear'),
    discount := coalesce(CAST($discount AS VARCHAR), 'log2'),
    unjudged := coalesce(CAST($unjudged AS VARCHAR), 'nonrelevant'),
    hit_order := coalesce(CAST($order AS VARCHAR), 'recorded'),
    repeats := coalesce(CAST($repeats AS VARCHAR), 'drop'),
    relevant_from := coalesce(CAST($relevant_from AS DOUBLE), 1)
) AS measured
JOIN current_label USING (request_id)
ORDER BY measured.case_id, current_label.started_at, measured.request_id, measured.k NULLS LAST;
