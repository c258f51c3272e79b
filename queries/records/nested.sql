-- Retrievers that rerank what the one inside them found: an outer retrieval with exactly one retrieval inside, whose hits
-- it reorders or narrows (LangChain's contextual compression shows as nested retrievers). One that merely wraps it is
-- none. Ours name their own stage.
-- Grain: one row an outer retrieval (trace_id, span_id).
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
    AND len(list_filter(outside.ids, lambda id: NOT coalesce(list_contains(within.ids, id), FALSE))) = 0
