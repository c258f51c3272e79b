-- Spans inside spans of the same kind: twins, and retrievers that rerank what the one inside them found.
-- Grain: changes rows of stage. A twin (the same step written once more in another form) is no stage when the other is
-- its parent or its child; a lone one counts. What was searched for is taken from the twin where the other lost it. An
-- outer retrieval with exactly one retrieval inside, whose hits it reorders or narrows, becomes a rerank of it (LangChain's
-- contextual compression shows as nested retrievers); one that merely wraps it stays. Ours name their own stage.
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
WHERE stage.trace_id = repeated.trace_id AND stage.span_id = repeated.span_id AND stage.search_text IS NULL;

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
WHERE stage.trace_id = repeated.trace_id AND stage.span_id = repeated.span_id;

CREATE OR REPLACE TEMP TABLE nested AS
WITH RECURSIVE below(trace_id, outer_id, span_id, kind) AS (
    SELECT child.trace_id, parent.span_id, child.span_id, child.kind
    FROM stage AS parent
    JOIN stage AS child ON child.trace_id = parent.trace_id AND child.parent_span_id = parent.span_id
    WHERE parent.kind = 'retrieval' AND NOT parent.own
    UNION
    SELECT child.trace_id, below.outer_id, child.span_id, child.kind
    FROM below
    JOIN stage AS child ON child.trace_id = below.trace_id AND child.parent_span_id = below.span_id
    WHERE below.kind IS DISTINCT FROM 'retrieval'
),
only_one AS (
    SELECT trace_id, outer_id, any_value(span_id) AS inner_id
    FROM below
    WHERE kind = 'retrieval'
    GROUP BY trace_id, outer_id
    HAVING count(*) = 1
)
SELECT only_one.trace_id, only_one.outer_id AS span_id
FROM only_one
JOIN stage AS outside ON outside.trace_id = only_one.trace_id AND outside.span_id = only_one.outer_id
JOIN stage AS within ON within.trace_id = only_one.trace_id AND within.span_id = only_one.inner_id
WHERE
    outside.ids <> within.ids
    AND len(list_filter(outside.ids, lambda id: NOT coalesce(list_contains(within.ids, id), FALSE))) = 0;

UPDATE stage
SET kind = 'rerank'
FROM nested
WHERE stage.trace_id = nested.trace_id AND stage.span_id = nested.span_id;
