-- A twin is the same step written once more in another form. It is no stage when the other is its parent or its child; a
-- lone one counts.
-- Grain: changes rows of stage.
UPDATE stage
SET kind = NULL
FROM (
    SELECT twin.trace_id, twin.span_id
    FROM stage AS twin
    JOIN stage AS other
        ON other.trace_id = twin.trace_id
        AND other.kind = twin.kind
        AND NOT other.twin
        AND (other.span_id = twin.parent_span_id OR other.parent_span_id = twin.span_id)
    WHERE twin.twin
) AS repeated
WHERE stage.trace_id = repeated.trace_id AND stage.span_id = repeated.span_id
