-- What a replay found.
-- Grain: one row a request and setting, in the order of settings, cases and times.
-- `needs_generator`: all that comes before the generator is clear, the prompt is another one than the recorded, and no answer
-- to it is known.
SELECT
    tried.setting_no,
    trace_hex(tried.request_id) AS request_id,
    trace_hex(hypothetical.trace_id) AS trace_id,
    hypothetical.run_id,
    hypothetical_label.case_id,
    gold_case.expect,
    tried.k,
    tried.budget,
    tried.unit,
    tried.packing,
    tried.ordering,
    tried.reranked,
    tried.prompt_ids AS prompt,
    tried.same_prompt,
    hypothetical_label.label,
    hypothetical_label.outcome,
    completeness.complete,
    hypothetical_label.label = 'unknown.answer' AND tried.prompt_ids IS NOT NULL AND NOT tried.same_prompt
        AS needs_generator,
    generated.answer,
    coalesce(tried.not_known, generated.failure) AS not_known,
    recorded.has_rerank
FROM hypothetical_label
JOIN hypothetical ON hypothetical.request_id = hypothetical_label.request_id
JOIN tried ON tried.hypothetical_id = hypothetical_label.request_id
JOIN recorded ON recorded.request_id = tried.request_id
JOIN gold_case ON gold_case.case_id = hypothetical_label.case_id
LEFT JOIN completeness ON completeness.request_id = hypothetical_label.request_id
LEFT JOIN generated ON CAST(generated.hypothetical_id AS UUID) = hypothetical_label.request_id
ORDER BY tried.setting_no, hypothetical_label.case_id, hypothetical.started_at, tried.request_id
