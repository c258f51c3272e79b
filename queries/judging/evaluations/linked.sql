-- The requests that evaluation results are about, of results with a subject that have no verdict yet.
-- Grain: one row a result (evaluation_id) whose request is known.
-- A span belongs to the only request of its trace, or to the nearest request span above it. A result that also names
-- another completion than the request's, or names only a completion, is that of the request with this completion.
-- `config` is the digest of the result and of what its name means (relation evaluation_meaning).
-- Of the events that `ragfault emit` sent, of this database or of another, labels and verdicts by rule become none: they
-- are derived here from the same traces. Nor does a verdict that is here already, because this database sent it.
WITH RECURSIVE
waiting AS (
    SELECT
        evaluation.*,
        meaning.name_key,
        md5(evaluation.evaluation_id || meaning.digest) AS config
    FROM evaluation
    JOIN evaluation_meaning AS meaning
        ON meaning.name_key = coalesce(
            'ragfault:' || evaluation.subject, regexp_replace(lower(evaluation.name), '[^\p{L}\p{N}]+', '', 'g')
        )
    ANTI JOIN verdict ON verdict.config = md5(evaluation.evaluation_id || meaning.digest)
    WHERE evaluation.scope <> 'session' AND coalesce(evaluation.source, '') <> 'rule'
),
held AS (
    SELECT request.trace_id, count(*) AS requests, any_value(request.request_id) AS only_request
    FROM request
    SEMI JOIN waiting ON waiting.trace_id = request.trace_id
    GROUP BY request.trace_id
),
above(evaluation_id, trace_id, span_id) AS (
    SELECT waiting.evaluation_id, waiting.trace_id, waiting.span_id
    FROM waiting
    JOIN held ON held.trace_id = waiting.trace_id
    WHERE held.requests > 1 AND waiting.scope = 'span' AND waiting.span_id IS NOT NULL
    UNION
    SELECT above.evaluation_id, above.trace_id, span.parent_span_id
    FROM above
    JOIN span ON span.trace_id = above.trace_id AND span.span_id = above.span_id
    ANTI JOIN request ON request.trace_id = above.trace_id AND request.anchor_span_id = above.span_id
    WHERE span.parent_span_id IS NOT NULL
),
by_context AS (
    SELECT waiting.evaluation_id, held.only_request AS request_id
    FROM waiting
    JOIN held ON held.trace_id = waiting.trace_id AND held.requests = 1
    UNION ALL
    SELECT above.evaluation_id, request.request_id
    FROM above
    JOIN request ON request.trace_id = above.trace_id AND request.anchor_span_id = above.span_id
),
by_response AS (
    SELECT waiting.evaluation_id, any_value(request.request_id) AS request_id
    FROM waiting
    JOIN request ON request.response_id = waiting.response_id
    GROUP BY waiting.evaluation_id
    HAVING count(*) = 1
),
linked AS (
    SELECT
        coalesce(
            CASE
                WHEN waiting.response_id IS NULL
                    OR coalesce(request.response_id, waiting.response_id) = waiting.response_id
                THEN request.request_id
            END,
            by_response.request_id
        ) AS request_id,
        waiting.*
    FROM waiting
    LEFT JOIN by_context ON by_context.evaluation_id = waiting.evaluation_id
    LEFT JOIN request ON request.request_id = by_context.request_id
    LEFT JOIN by_response ON by_response.evaluation_id = waiting.evaluation_id
)
SELECT
    request_id,
    config,
    name_key,
    name,
    score,
    label,
    explanation,
    error_type,
    annotator_kind,
    judge,
    evaluated_at,
    origin,
    subject,
    source,
    target,
    claim_id,
    claim,
    repeat_no
FROM linked
WHERE request_id IS NOT NULL
    AND (
        event_id IS NULL
        OR NOT EXISTS (
            SELECT 1
            FROM verdict
            WHERE verdict.request_id = linked.request_id
                AND verdict_event_id(
                    verdict.request_id, verdict.subject, verdict.target, verdict.claim_id, verdict.source, verdict.judge,
                    verdict.config, verdict.repeat_no, verdict.judged_at
                ) = linked.event_id
        )
    );
