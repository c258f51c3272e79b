-- The spans that a convention has to be asked about: neither ours, nor of the current GenAI conventions, which stage.sql
-- reads itself.
-- Grain: one row a span of stage. `read_already` marks what stage.sql has read: only a mapping is asked.
-- Parameters: $every, whether to ask about every other span (a mapping or a convention of another package is in use);
-- else only about those whose attributes or scope belong to a convention that is known; $mapped, whether a mapping is in
-- use.
SELECT
    stage.row,
    stage.plain AS read_already,
    coalesce(span.scope_name, '') AS scope_name,
    coalesce(span.scope_version, '') AS scope_version,
    span.name,
    span.attributes,
    span.events,
    span.status_code = 2 AS failed,
    span.dropped_attributes_count,
    span.dropped_events_count,
    span.parent_span_id IS NOT NULL AS has_parent,
    span.resource
FROM stage
JOIN span ON span.rowid = stage.row
WHERE span.stage IS NULL AND CASE WHEN stage.plain THEN $mapped ELSE $every OR stage.unread END
