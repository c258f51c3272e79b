-- The requests that a person asks for, each with its newest label.
-- Grain: one row a request, newest first.
-- Parameters: $needle, a case id, a trace id or a request id (hex, with or without dashes); $limit, rows at the most
-- (NULL: all). `found` says in each row how many requests there are.
-- Test traffic is found by the case id that it names, or by the case that it was held against when it was labelled.
WITH wanted AS (
    SELECT request_id FROM request WHERE case_id = $needle
    UNION
    SELECT request_id FROM label WHERE case_id = $needle
    UNION
    SELECT request_id FROM request
    WHERE
        trace_id = TRY_CAST($needle AS UUID)
        OR request_id = TRY_CAST($needle AS UUID)
        OR list_contains(trace_ids, TRY_CAST($needle AS UUID))
),
shown AS (
    SELECT request.*, count(*) OVER () AS found
    FROM request
    SEMI JOIN wanted ON wanted.request_id = request.request_id
    ORDER BY request.started_at DESC NULLS LAST, request.request_id
    LIMIT coalesce(CAST($limit AS BIGINT), 9223372036854775807)
),
newest_label AS (
    SELECT label.*
    FROM label
    SEMI JOIN shown ON shown.request_id = label.request_id
    QUALIFY row_number() OVER (PARTITION BY label.request_id ORDER BY label.run_id DESC) = 1
)
SELECT
    trace_hex(shown.request_id) AS request_id,
    trace_hex(shown.trace_id) AS trace_id,
    coalesce(newest_label.case_id, shown.case_id) AS case_id,
    shown.run_id,
    shown.service,
    shown.started_at,
    shown.query,
    shown.ranked_ids,
    shown.ranked_scores,
    shown.score_kind,
    shown.ranking_complete,
    shown.candidate_ids,
    shown.candidate_scores,
    coalesce(newest_label.k, shown.k) AS k,
    shown.prompt_ids,
    shown.dropped,
    shown.budget,
    shown.budget_unit,
    shown.answer,
    shown.cited_ids,
    shown.unmapped_citations,
    shown.error_stage,
    shown.error_message,
    shown.missing,
    gold_case.expect,
    gold_case.answer_check,
    newest_label.label,
    newest_label.boundary,
    newest_label.outcome,
    newest_label.latent,
    newest_label.retrieved,
    newest_label.grounded,
    newest_label.correct,
    newest_label.cited,
    newest_label.detail,
    rule.meaning,
    rule.signature,
    rule.check_with,
    rule.try_first,
    rule.wasted,
    rule.failure_point,
    decision_matrix.next_experiment,
    shown.found
FROM shown
LEFT JOIN newest_label ON newest_label.request_id = shown.request_id
LEFT JOIN gold_case ON gold_case.case_id = coalesce(newest_label.case_id, shown.case_id)
LEFT JOIN rule ON rule.label = newest_label.label
LEFT JOIN matrix_cell ON matrix_cell.run_id = newest_label.run_id AND matrix_cell.request_id = newest_label.request_id
LEFT JOIN decision_matrix
    ON decision_matrix.coverage = matrix_cell.coverage
    AND decision_matrix.support = matrix_cell.support
    AND decision_matrix.correctness = matrix_cell.correctness
    AND decision_matrix.citation = matrix_cell.citation
ORDER BY shown.started_at DESC NULLS LAST, shown.request_id
