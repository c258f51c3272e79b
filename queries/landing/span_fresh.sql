-- The spans of a load that are not stored yet; of two with one identity the first stays.
-- Grain: one row a new span (trace_id, span_id) of the view landing_batch (the columns of span, and position).
-- Parameters: starts and ends, four windows of time that the starts of the batch lie in, in nanoseconds since 1970
-- (start_a to end_a, start_b to end_b, start_c to end_c, start_d to end_d; an unused one ends before it starts);
-- timeless, whether the batch has spans without a start.
--
-- There is no primary key and no ON CONFLICT: both read the whole table. A span that is sent again has the start that
-- it had, so only the batch's windows are searched, and row groups outside of them are skipped by their statistics.
-- Several windows, because one span from last year must not make a window of a year.
CREATE OR REPLACE TEMP TABLE fresh_span AS
WITH
first_sent AS (
    SELECT trace_id, span_id, min(position) AS position
    FROM landing_batch
    GROUP BY trace_id, span_id
),
stored AS (
    SELECT trace_id, span_id FROM span
    WHERE start_time BETWEEN make_timestamp_ns($start_a) AND make_timestamp_ns($end_a)
    UNION ALL
    SELECT trace_id, span_id FROM span
    WHERE start_time BETWEEN make_timestamp_ns($start_b) AND make_timestamp_ns($end_b)
    UNION ALL
    SELECT trace_id, span_id FROM span
    WHERE start_time BETWEEN make_timestamp_ns($start_c) AND make_timestamp_ns($end_c)
    UNION ALL
    SELECT trace_id, span_id FROM span
    WHERE start_time BETWEEN make_timestamp_ns($start_d) AND make_timestamp_ns($end_d)
    UNION ALL
    SELECT trace_id, span_id FROM span
    WHERE $timeless AND start_time IS NULL
)
SELECT position
FROM first_sent
ANTI JOIN stored USING (trace_id, span_id);
