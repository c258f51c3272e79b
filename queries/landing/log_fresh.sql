-- The log records of files that are not stored yet; of several that are equal in every field the first stays.
-- Grain: one row a new log record, by its position in the view arriving_log (the columns of log_record, and position).
-- Parameters: earliest and latest, between which the records happened, in nanoseconds since 1970; first_seen and
-- last_seen, between which those without such a time were seen; timeless, whether there are some without either. A
-- window that is not used ends before it starts.
--
-- Only the windows are searched, as for spans. Repairs are left out: they follow from the rest.
WITH
searched AS (
    FROM log_record
    WHERE time BETWEEN make_timestamp_ns($earliest) AND make_timestamp_ns($latest)
    UNION ALL
    FROM log_record
    WHERE time IS NULL AND observed_time BETWEEN make_timestamp_ns($first_seen) AND make_timestamp_ns($last_seen)
    UNION ALL
    FROM log_record
    WHERE $timeless AND time IS NULL AND observed_time IS NULL
),
stored AS (
    SELECT
        row(
            time, observed_time, trace_id, span_id, severity_number, severity_text, event_name, service, scope_name,
            scope_version, CAST(body AS VARCHAR), CAST(attributes AS VARCHAR), CAST(resource AS VARCHAR),
            CAST(scope AS VARCHAR), flags, dropped_attributes_count
        ) AS content
    FROM searched
),
arriving AS (
    SELECT
        position,
        row(
            time, observed_time, trace_id, span_id, severity_number, severity_text, event_name, service, scope_name,
            scope_version, CAST(body AS VARCHAR), CAST(attributes AS VARCHAR), CAST(resource AS VARCHAR),
            CAST(scope AS VARCHAR), flags, dropped_attributes_count
        ) AS content
    FROM arriving_log
),
first_read AS (
    SELECT min(position) AS position, content
    FROM arriving
    GROUP BY content
)
SELECT position
FROM first_read
ANTI JOIN stored USING (content)
ORDER BY position;
