-- Log records that report the result of an evaluation, of the segments that are being built.
-- Grain: one row a log record.
-- Parameters: $event, the name of such events.
SELECT
    trace_id,
    span_id,
    coalesce(time, observed_time) AS time,
    CAST(attributes AS VARCHAR) AS attributes,
    coalesce(scope_name, service) AS judge,
    segment_id
FROM log_record
SEMI JOIN building USING (segment_id)
WHERE event_name = $event;
