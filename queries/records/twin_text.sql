-- What was searched for is taken from a twin where the step that counts lost it: the SDK drops the oldest attributes of a
-- span that has too many, and the question is the first.
-- Grain: changes rows of stage.
UPDATE stage
SET search_text = repeated.search_text
FROM (
    SELECT other.trace_id, other.span_id, min(twin.search_text) AS search_text
    FROM stage AS twin
    JOIN stage AS other
        ON other.trace_id = twin.trace_id
        AND other.kind = twin.kind
        AND NOT other.twin
        AND (other.span_id = twin.parent_span_id OR other.parent_span_id = twin.span_id)
    WHERE twin.twin
    GROUP BY other.trace_id, other.span_id
) AS repeated
WHERE stage.trace_id = repeated.trace_id AND stage.span_id = repeated.span_id AND stage.search_text IS NULL
