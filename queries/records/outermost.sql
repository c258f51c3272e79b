-- The stage spans that count for a request: the outermost of their kind, and our own where there are own ones.
-- Grain: one row a stage span of a request (trace_id, anchor_span_id, span_id).
-- `attempt` numbers the spans of a kind from the last: 1 is the last that did not fail, else the last.
CREATE OR REPLACE TEMP TABLE outermost AS
SELECT
    owned.anchor_span_id,
    stage.*,
    row_number() OVER (
        PARTITION BY stage.trace_id, owned.anchor_span_id, stage.kind
        ORDER BY stage.failed, stage.end_time DESC NULLS LAST, stage.start_time DESC NULLS LAST, stage.span_id
    ) AS attempt
FROM owned
JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
WHERE
    stage.kind IS NOT NULL
    AND NOT list_contains(owned.inside, stage.kind)
    AND (stage.kind <> 'request' OR stage.span_id = owned.anchor_span_id)
QUALIFY stage.own = bool_or(stage.own) OVER (PARTITION BY stage.trace_id, owned.anchor_span_id, stage.kind)
