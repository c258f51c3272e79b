-- Rows of span that repeat a span of the traces to build: the same ids, sent again with another start.
-- Grain: one row a row of span that does not count (row). The earliest start stays.
-- Nearly always there is none: ids are counted, and only rows of those that stand there twice are sorted.
CREATE OR REPLACE TEMP TABLE repeated_span AS
WITH twice AS (
    SELECT span.trace_id, span.span_id
    FROM span
    SEMI JOIN dirty_trace ON dirty_trace.trace_id = span.trace_id
    GROUP BY span.trace_id, span.span_id
    HAVING count(*) > 1
)
SELECT row
FROM (
    SELECT
        span.rowid AS row,
        row_number() OVER (
            PARTITION BY span.trace_id, span.span_id ORDER BY span.start_time, span.segment_id, span.rowid
        ) AS place
    FROM span
    SEMI JOIN twice ON twice.trace_id = span.trace_id AND twice.span_id = span.span_id
)
WHERE place > 1
