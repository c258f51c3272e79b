-- The retrieval measures of the labelled requests of one side of a comparison.
-- Grain: one row a labelled request with judgments and a cutoff (request_id, k); k NULL is the whole ranking.
-- Parameters:
--   $pipeline, $labelling: which requests, as in side.
--   $ks: the cutoffs.
--   $gain, $discount, $unjudged, $order, $repeats, $relevant_from: choices, see queries/metrics/request_measures.sql.
SELECT
    trace_hex(measured.request_id) AS request_id,
    measured.* EXCLUDE (request_id)
FROM request_measures(
    ks := CAST($ks AS INTEGER[]),
    gain := CAST($gain AS VARCHAR),
    discount := CAST($discount AS VARCHAR),
    unjudged := CAST($unjudged AS VARCHAR),
    hit_order := CAST($order AS VARCHAR),
    repeats := CAST($repeats AS VARCHAR),
    relevant_from := CAST($relevant_from AS DOUBLE)
) AS measured
WHERE CASE
    WHEN CAST($labelling AS VARCHAR) IS NOT NULL
    THEN measured.request_id IN (SELECT request_id FROM label WHERE run_id = CAST($labelling AS VARCHAR))
    ELSE CAST($pipeline AS VARCHAR) IS NULL
        OR measured.request_id IN (SELECT request_id FROM request WHERE run_id = CAST($pipeline AS VARCHAR))
END
ORDER BY measured.request_id, measured.k NULLS LAST;
