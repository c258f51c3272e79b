-- Store the spans of a batch that are not stored yet; of two with one identity the first stays.
-- Grain: one row of span a span of the view landing_batch (the columns of span without segment_id, and position).
-- Parameters: segment_id; window_start and window_end, the least and greatest start of the batch in nanoseconds since
-- 1970; timeless, whether the batch has spans without a start.
--
-- There is no primary key and no ON CONFLICT: both read the whole table. A span that is sent again has the start that
-- it had, so only the batch's window of time is searched, and row groups outside of it are skipped by their statistics.
INSERT INTO span BY NAME
WITH
first_sent AS (
    SELECT trace_id, span_id, min(position) AS position
    FROM landing_batch
    GROUP BY trace_id, span_id
),
stored AS (
    SELECT trace_id, span_id
    FROM span
    WHERE start_time BETWEEN make_timestamp_ns($window_start) AND make_timestamp_ns($window_end)
    UNION ALL
    SELECT trace_id, span_id
    FROM span
    WHERE $timeless AND start_time IS NULL
),
fresh AS (
    SELECT position
    FROM first_sent
    ANTI JOIN stored USING (trace_id, span_id)
)
SELECT landing_batch.* EXCLUDE (position), CAST($segment_id AS UUID) AS segment_id
FROM landing_batch
SEMI JOIN fresh USING (position);
