-- The joined requests that the rule judge has to judge: those whose newest rule verdict was made from other inputs, and
-- those without one. Every judged request has a verdict on refusal, so that one stands for all.
-- Grain: one row a request (request_id). Columns: the inputs, and config, the digest of the judge and the inputs.
-- Parameters: $judge, a digest of the judge's version and configuration.
WITH newest AS (
    SELECT request_id, arg_max(config, judged_at) AS config
    FROM verdict
    WHERE source = 'rule' AND subject = 'refusal'
    GROUP BY request_id
),
input AS (
    SELECT
        joined_request.request_id,
        request.answer,
        request.decision,
        request.finish_reasons,
        gold_case.answer_check,
        md5(CAST(to_json(struct_pack(
            judge := CAST($judge AS VARCHAR),
            answer := request.answer,
            decision := request.decision,
            finish_reasons := request.finish_reasons,
            answer_check := CAST(gold_case.answer_check AS VARCHAR)
        )) AS VARCHAR)) AS config
    FROM joined_request
    JOIN request ON request.request_id = joined_request.request_id
    JOIN gold_case ON gold_case.case_id = joined_request.case_id
)
SELECT input.*
FROM input
LEFT JOIN newest ON newest.request_id = input.request_id
WHERE newest.config IS DISTINCT FROM input.config;
