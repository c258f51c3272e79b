-- Log records that hold the messages of a model call whose span lacks them, in the order in which they were sent.
-- Grain: one row a message event of a generation in stage. An event that a sender sent twice counts once.
-- Parameters: $events, the names of such events.
SELECT
    event.trace_id,
    event.span_id,
    event.event_name,
    event.body,
    event.attributes
FROM (
    SELECT DISTINCT
        log_record.trace_id,
        log_record.span_id,
        log_record.event_name,
        log_record.body,
        log_record.attributes,
        coalesce(log_record.time, log_record.observed_time) AS time,
        log_record.observed_time
    FROM log_record
    SEMI JOIN dirty_trace ON dirty_trace.trace_id = log_record.trace_id
    WHERE list_contains($events, log_record.event_name)
) AS event
JOIN stage ON stage.trace_id = event.trace_id AND stage.span_id = event.span_id
WHERE
    stage.kind = 'generation'
    AND (stage.input_text IS NULL OR stage.output_text IS NULL OR stage.finish_reasons IS NULL)
ORDER BY
    event.trace_id,
    event.span_id,
    event.time NULLS FIRST,
    event.observed_time NULLS FIRST,
    event.event_name,
    event.body,
    event.attributes
