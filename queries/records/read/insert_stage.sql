-- Put what the conventions read in the place of what stage.sql made of the same spans.
-- Grain: one row of stage a row of the view read_stage.
INSERT INTO stage BY NAME
SELECT
    span.trace_id,
    span.span_id,
    span.parent_span_id,
    span.start_time,
    span.end_time,
    span.service,
    FALSE AS own,
    span.status_code = 2 AS failed,
    span.status_message,
    span.dropped_attributes_count > 0 AS dropped_attributes,
    names_in(span.attributes ->> '$."ragfault.user.groups"') AS user_groups,
    read_stage.* EXCLUDE (trace_id, span_id)
FROM read_stage
JOIN span ON span.trace_id = read_stage.trace_id AND span.span_id = read_stage.span_id
ANTI JOIN repeated_span ON repeated_span.row = span.rowid
