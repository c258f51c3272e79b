-- What the means and intervals of `ragfault measures` are made of: the measures of each case of a group.
-- Grain: one row a case of a group and a cutoff (group_value, case_id, k), groups one after the other, and in them cases;
-- k NULL is the whole ranking. The columns are those of the macro case_measures.
-- Parameters:
--   $grouped_by: a dimension of request_group.
--   $ks: the cutoffs.
--   $gain, $discount, $unjudged, $order, $repeats, $relevant_from: choices, see queries/metrics/request_measures.sql.
SELECT *
FROM case_measures(
    grouped_by := CAST($grouped_by AS VARCHAR),
    ks := CAST($ks AS INTEGER[]),
    gain := CAST($gain AS VARCHAR),
    discount := CAST($discount AS VARCHAR),
    unjudged := CAST($unjudged AS VARCHAR),
    hit_order := CAST($order AS VARCHAR),
    repeats := CAST($repeats AS VARCHAR),
    relevant_from := CAST($relevant_from AS DOUBLE)
)
ORDER BY group_value NULLS LAST, case_id, k NULLS LAST;
