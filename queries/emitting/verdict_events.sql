-- What each judge says last of the answers of some requests, as events that are to be sent to a destination.
-- Grain: one row a verdict that was not sent there yet (event_id).
-- Parameters: $requests, ids of the requests; $destination.
-- Verdicts that came from telemetry stay out: whoever sent them has them. A verdict that could not tell stays out as well,
-- unless it takes back what the same judge said before, or tells of a failure.
-- The judged span is the last call of a model in the trace of the request; the request span where the trace holds several
-- requests, or no such call; failing that the root.
WITH wanted AS (
    SELECT unnest(CAST($requests AS UUID[])) AS request_id
),
said AS (
    SELECT
        verdict.*,
        row_number() OVER (
            PARTITION BY
                verdict.request_id, verdict.subject, verdict.target, verdict.claim_id, verdict.source, verdict.judge,
                verdict.repeat_no
            ORDER BY verdict.judged_at DESC, verdict.rowid DESC
        ) AS age,
        count(verdict.value) OVER (
            PARTITION BY
                verdict.request_id, verdict.subject, verdict.target, verdict.claim_id, verdict.source, verdict.judge,
                verdict.repeat_no
        ) AS told
    FROM verdict
    SEMI JOIN wanted ON wanted.request_id = verdict.request_id
),
event AS (
    SELECT
        *,
        verdict_event_id(request_id, subject, target, claim_id, source, judge, config, repeat_no, judged_at) AS event_id
    FROM said
    WHERE age = 1
        AND (told > 0 OR failure IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM evaluation WHERE evaluation.origin = said.origin)
),
traces AS (
    SELECT
        request.request_id,
        unnest(coalesce(request.trace_ids, [request.trace_id])) AS trace_id,
        request.request_id = request.trace_id AS is_alone,
        request.anchor_span_id
    FROM request
    SEMI JOIN event ON event.request_id = request.request_id
),
place AS (
    SELECT
        traces.request_id,
        span.trace_id,
        span.span_id,
        row_number() OVER (
            PARTITION BY traces.request_id
            ORDER BY
                traces.is_alone
                    AND coalesce(span.operation, '') IN ('chat', 'text_completion', 'generate_content') DESC,
                CASE
                    WHEN traces.is_alone
                        AND coalesce(span.operation, '') IN ('chat', 'text_completion', 'generate_content')
                    THEN span.end_time
                END DESC NULLS LAST,
                coalesce(span.span_id = traces.anchor_span_id, FALSE) DESC,
                span.parent_span_id IS NOT NULL,
                span.start_time
        ) AS choice
    FROM traces
    JOIN span ON span.trace_id = traces.trace_id
)
SELECT
    event.event_id,
    CAST(event.request_id AS VARCHAR) AS request_id,
    coalesce(place.trace_id, request.trace_id) AS trace_id,
    coalesce(place.span_id, request.anchor_span_id) AS span_id,
    event.judged_at AS at,
    request.response_id,
    request.case_id,
    event.subject,
    event.target,
    event.claim_id,
    event.claim,
    event.value,
    event.score,
    event.reason,
    event.failure,
    event.source,
    event.judge,
    event.repeat_no
FROM event
JOIN request ON request.request_id = event.request_id
LEFT JOIN place ON place.request_id = event.request_id AND place.choice = 1
ANTI JOIN emitted ON emitted.event_id = event.event_id AND emitted.destination = $destination
ORDER BY request.started_at, event.subject, event.event_id;
