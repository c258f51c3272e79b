-- Whether anything stands directly inside a retrieval that is not ours.
-- Grain: one row.
SELECT EXISTS (
    FROM stage AS child
    SEMI JOIN (FROM stage WHERE kind = 'retrieval' AND NOT own) AS parent
        ON parent.trace_id = child.trace_id AND parent.span_id = child.parent_span_id
) AS inside
