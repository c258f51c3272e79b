-- The spans that open a request.
-- Grain: one row a request span (trace_id, span_id).
-- Every request span of our own opens a request, also inside another one. In traces without one, an outermost workflow
-- or agent span of the plain conventions does.
CREATE OR REPLACE TEMP TABLE anchor AS
WITH RECURSIVE below(trace_id, span_id) AS (
    SELECT child.trace_id, child.span_id
    FROM stage AS child
    JOIN stage AS parent ON parent.trace_id = child.trace_id AND parent.span_id = child.parent_span_id
    WHERE parent.kind = 'request' AND NOT parent.own
    UNION
    SELECT child.trace_id, child.span_id
    FROM stage AS child
    JOIN below ON below.trace_id = child.trace_id AND below.span_id = child.parent_span_id
)
SELECT trace_id, span_id
FROM stage
WHERE kind = 'request' AND own
UNION ALL
SELECT trace_id, span_id
FROM stage
WHERE
    kind = 'request'
    AND NOT own
    AND NOT EXISTS (FROM below WHERE below.trace_id = stage.trace_id AND below.span_id = stage.span_id)
    AND NOT EXISTS (FROM stage AS other WHERE other.trace_id = stage.trace_id AND other.kind = 'request' AND other.own)
