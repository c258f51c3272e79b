-- Spans that carry results of evaluations, in attributes or in events, of the segments that are being built.
-- Grain: one row a span.
-- Parameters: $event, the name of such events.
SELECT
    trace_id,
    span_id,
    coalesce(end_time, start_time) AS time,
    CAST(attributes AS VARCHAR) AS attributes,
    CAST(events AS VARCHAR) AS events,
    CAST(links AS VARCHAR) AS links,
    coalesce(scope_name, service) AS judge,
    segment_id
FROM span
SEMI JOIN building USING (segment_id)
WHERE contains(CAST(attributes AS VARCHAR), '.evaluation.')
    OR contains(CAST(attributes AS VARCHAR), '.annotation.')
    OR contains(CAST(events AS VARCHAR), $event);
