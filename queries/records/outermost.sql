-- The stage spans that count for a request: the outermost of their kind, and our own where there are own ones.
-- Grain: one row a stage span of a request (trace_id, anchor_span_id, span_id).
-- A span of ours is told by the spans of ours around it only, so that a plain one around it does not hide it. A call of
-- the model inside a retrieval or a rerank serves that stage and is no answer.
-- `attempt` numbers the spans of a kind from the last: 1 is the last that did not fail, else the last. `ends` marks the
-- one with which the stage ended: the last, but for one that failed beside or before a success. The windows sort narrow
-- rows, and the texts join afterwards.
CREATE OR REPLACE TEMP TABLE outermost AS
WITH counted AS (
    SELECT
        owned.anchor_span_id,
        stage.trace_id,
        stage.span_id,
        stage.kind,
        stage.failed,
        stage.start_time,
        stage.end_time,
        max(stage.end_time) FILTER (NOT stage.failed)
            OVER (PARTITION BY stage.trace_id, owned.anchor_span_id, stage.kind) AS last_success
    FROM owned
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE
        stage.kind IS NOT NULL
        AND NOT list_contains(CASE WHEN stage.own THEN owned.inside_own ELSE owned.inside END, stage.kind)
        AND NOT (stage.kind = 'generation' AND list_has_any(owned.inside, ['retrieval', 'rerank']))
        AND (stage.kind <> 'request' OR stage.span_id = owned.anchor_span_id)
    QUALIFY stage.own = bool_or(stage.own) OVER (PARTITION BY stage.trace_id, owned.anchor_span_id, stage.kind)
)
SELECT
    numbered.anchor_span_id,
    stage.*,
    numbered.attempt,
    numbered.ends
FROM (
    SELECT
        anchor_span_id,
        trace_id,
        span_id,
        row_number() OVER (
            PARTITION BY trace_id, anchor_span_id, kind
            ORDER BY failed, end_time DESC NULLS LAST, start_time DESC NULLS LAST, span_id
        ) AS attempt,
        row_number() OVER (
            PARTITION BY trace_id, anchor_span_id, kind
            ORDER BY
                failed AND NOT coalesce(start_time >= last_success, FALSE),
                end_time DESC NULLS LAST,
                start_time DESC NULLS LAST,
                span_id
        ) = 1 AS ends
    FROM counted
) AS numbered
JOIN stage ON stage.trace_id = numbered.trace_id AND stage.span_id = numbered.span_id
