-- One label a request, with the outcome, the four propositions and the detail.
-- Grain: one row a joined request (request_id).
SELECT
    first_stop.request_id,
    joined.case_id,
    stop_label.label,
    stop_label.boundary,
    first_stop.outcome,
    first_stop.outcome = 'correct' AND NOT stop_label.passes AS latent,
    first_stop.retrieved,
    first_stop.grounded,
    first_stop.correct,
    first_stop.cited,
    first_stop.k,
    gold_case.gold_version,
    to_json(struct_pack(
        stopped_at := stop_label.stopped_at,
        missing := stop_label.missing,
        k := first_stop.k,
        depth := first_stop.depth,
        failing := CASE
            WHEN first_stop.last_lost = first_stop.stop THEN first_stop.lost
            WHEN first_stop.last_lost > first_stop.stop
            THEN list_filter(first_stop.lost, lambda one, place: first_stop.lost_stops[place] = first_stop.stop)
            ELSE []
        END,
        also_lost := CASE
            WHEN first_stop.last_lost > first_stop.stop
            THEN list_filter(first_stop.lost, lambda one, place: first_stop.lost_stops[place] > first_stop.stop)
            ELSE []
        END,
        superseded := first_stop.superseded,
        cited_unshown := unshown.ids,
        claims := CASE stop_label.label
            WHEN 'grounding.unsupported' THEN first_stop.unsupported
            WHEN 'citation.missing' THEN first_stop.uncited
            WHEN 'citation.wrong' THEN first_stop.miscited
        END
    )) AS detail
FROM first_stop
JOIN stop_label ON stop_label.stop = first_stop.stop
JOIN joined ON joined.request_id = first_stop.request_id
JOIN gold_case ON gold_case.case_id = joined.case_id
LEFT JOIN unshown ON unshown.request_id = first_stop.request_id
