-- One label a request, with the outcome, the four propositions and the detail.
-- Grain: one row a joined request (request_id).
SELECT
    first_stop.request_id,
    first_stop.case_id,
    stop_label.label,
    stop_label.boundary,
    outcome.outcome,
    outcome.outcome = 'correct' AND NOT stop_label.passes AS latent,
    first_stop.retrieved,
    first_stop.grounded,
    outcome.correct,
    first_stop.cited,
    first_stop.k,
    first_stop.gold_version,
    to_json(struct_pack(
        stopped_at := stop_label.stopped_at,
        missing := stop_label.missing,
        k := first_stop.k,
        depth := first_stop.depth,
        failing := list_filter(first_stop.failing, lambda seen: seen.stop = first_stop.stop),
        also_lost := list_filter(first_stop.failing, lambda seen: seen.stop > first_stop.stop)
    )) AS detail
FROM first_stop
JOIN stop_label ON stop_label.stop = first_stop.stop
JOIN (
    SELECT
        request_id,
        CASE
            WHEN failed_stage <> '' THEN NULL
            WHEN expect = 'refuse' THEN refused
            WHEN expect = 'clarify' THEN clarified
            ELSE correct
        END AS correct,
        CASE
            WHEN failed_stage <> '' THEN 'wrong'
            WHEN expect = 'refuse' AND refused THEN 'correct'
            WHEN expect = 'clarify' AND clarified THEN 'correct'
            WHEN refused THEN 'refused'
            WHEN expect = 'refuse' AND NOT refused THEN 'wrong'
            WHEN expect = 'clarify' AND NOT clarified THEN 'wrong'
            WHEN expect = 'answer' AND correct THEN 'correct'
            WHEN expect = 'answer' AND NOT correct THEN 'wrong'
            ELSE 'unjudged'
        END AS outcome
    FROM first_stop
) AS outcome ON outcome.request_id = first_stop.request_id
