-- The spans as they are stored, so that `ragfault import` gives back the same rows.
-- Grain: one row a span (trace_id, span_id), with the columns of the table span except segment_id.
-- Parameters: since, only spans that started at or after this time, UTC (NULL: all, those without a start included).
SELECT
    unhex(trace_hex(span.trace_id)) AS trace_id,
    span.span_id,
    span.parent_span_id,
    span.name,
    span.kind,
    span.start_time,
    span.end_time,
    span.status_code,
    span.status_message,
    span.service,
    span.scope_name,
    span.scope_version,
    span.operation,
    span.stage,
    CAST(span.attributes AS VARCHAR) AS attributes,
    CAST(span.events AS VARCHAR) AS events,
    CAST(span.links AS VARCHAR) AS links,
    CAST(span.resource AS VARCHAR) AS resource,
    CAST(span.scope AS VARCHAR) AS scope,
    span.trace_state,
    span.flags,
    span.dropped_attributes_count,
    span.dropped_events_count,
    span.dropped_links_count,
    CAST(span.repairs AS VARCHAR) AS repairs
FROM span
WHERE $since IS NULL OR span.start_time >= CAST($since AS TIMESTAMP);
