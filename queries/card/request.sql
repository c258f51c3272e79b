-- The requests that a person asks for, each with its newest label.
-- Grain: one row a request, newest first.
-- Parameters: $needle, a case id, a trace id or a request id (hex, with or without dashes).
-- Test traffic is found by the case id that it names, or by the case that it was held against when it was labelled.
SELECT
    trace_hex(request.request_id) AS request_id,
    trace_hex(request.trace_id) AS trace_id,
    coalesce(current_label.case_id, request.case_id) AS case_id,
    request.run_id,
    request.service,
    request.started_at,
    request.query,
    request.ranked_ids,
    request.ranked_scores,
    request.score_kind,
    request.ranking_complete,
    request.candidate_ids,
    request.candidate_scores,
    coalesce(current_label.k, request.k) AS k,
    request.prompt_ids,
    request.dropped,
    request.budget,
    request.budget_unit,
    request.answer,
    request.cited_ids,
    request.error_stage,
    request.error_message,
    request.missing,
    gold_case.expect,
    gold_case.answer_check,
    current_label.label,
    current_label.boundary,
    current_label.outcome,
    current_label.latent,
    current_label.retrieved,
    current_label.grounded,
    current_label.correct,
    current_label.cited,
    current_label.detail,
    rule.meaning,
    rule.signature,
    rule.check_with,
    rule.try_first,
    rule.wasted,
    rule.failure_point
FROM request
LEFT JOIN current_label ON current_label.request_id = request.request_id
LEFT JOIN gold_case ON gold_case.case_id = coalesce(current_label.case_id, request.case_id)
LEFT JOIN rule ON rule.label = current_label.label
WHERE
    request.case_id = $needle
    OR current_label.case_id = $needle
    OR request.trace_id = TRY_CAST($needle AS UUID)
    OR request.request_id = TRY_CAST($needle AS UUID)
ORDER BY request.started_at DESC NULLS LAST, request.request_id
