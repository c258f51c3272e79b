-- Traces that are one request together: parts that complete each other.
-- Grain: one row a trace (trace_id) of a request that has several; the request is known under its first one.
-- Joined are parts of the same session, the same run and the same case (or, without a case, the same question) that
-- follow each other in the order of the pipeline: each begins after the one before, within an hour, and with a stage behind
-- all stages of it. So two requests with the same question are never merged, and nothing is when the application names
-- no session. Where questions overlap in time, so that within the hour one part waits for its end and another for its
-- beginning, nothing tells which belong together: then all parts with that key stay apart.
CREATE OR REPLACE TEMP TABLE joined_trace AS
WITH burst AS (
    SELECT
        *,
        sum(CASE WHEN CAST(started_at AS TIMESTAMP) - CAST(before AS TIMESTAMP) <= INTERVAL 1 HOUR THEN 0 ELSE 1 END) OVER (
            PARTITION BY session_id, run_id, key ORDER BY started_at, trace_id
        ) AS burst_no
    FROM (
        SELECT
            *,
            lag(started_at) OVER (PARTITION BY session_id, run_id, key ORDER BY started_at, trace_id) AS before
        FROM session_part
    )
),
numbered AS (
    SELECT
        *,
        sum(CASE WHEN first_stage > stage_before AND NOT answered_before THEN 0 ELSE 1 END) OVER (
            PARTITION BY session_id, run_id, key, burst_no ORDER BY started_at, trace_id
        ) AS question_no
    FROM (
        SELECT
            *,
            lag(last_stage) OVER question AS stage_before,
            lag(answered) OVER question AS answered_before
        FROM burst
        WINDOW question AS (PARTITION BY session_id, run_id, key, burst_no ORDER BY started_at, trace_id)
    )
),
together AS (
    SELECT
        session_id,
        run_id,
        key,
        burst_no,
        question_no,
        list(trace_id ORDER BY started_at, trace_id) AS traces,
        arg_min(anchor_span_id, struct_pack(started_at := started_at, trace_id := trace_id)) AS anchor_span_id,
        min(first_stage) > 1 AS lacks_beginning,
        max(last_stage) < 4 AND NOT bool_or(answered) AS lacks_end
    FROM numbered
    GROUP BY session_id, run_id, key, burst_no, question_no
),
clear AS (
    SELECT *
    FROM together
    QUALIFY NOT (
        bool_or(lacks_beginning) OVER (PARTITION BY session_id, run_id, key, burst_no)
        AND bool_or(lacks_end) OVER (PARTITION BY session_id, run_id, key, burst_no)
    )
)
SELECT unnest(traces) AS trace_id, traces[1] AS request_trace_id, anchor_span_id AS request_anchor_span_id, traces
FROM clear
WHERE len(traces) > 1
