-- Take in the traces that were built before and may complete, or have completed, a part that is being built: half requests,
-- and joined ones, of the same session, run and case or question.
-- Grain: adds traces to dirty_trace.
-- What the traces were taken for when they were built last counts as well, for they may have left parts behind.
INSERT INTO dirty_trace
WITH before AS (
    SELECT
        request.*,
        coalesce('case ' || case_id, 'question ' || normalise_text(query)) AS key,
        dirty_trace.trace_id IS NOT NULL AS dirty
    FROM request
    SEMI JOIN (
        SELECT session_id FROM session_part
        UNION
        SELECT session_id FROM request SEMI JOIN dirty_trace ON dirty_trace.trace_id = request.trace_id
    ) AS named ON named.session_id = request.session_id
    LEFT JOIN dirty_trace ON dirty_trace.trace_id = request.trace_id
),
wanted AS (
    SELECT session_id, run_id, key FROM session_part
    UNION
    SELECT session_id, coalesce(run_id, ''), key FROM before WHERE dirty
)
SELECT DISTINCT unnest(coalesce(before.trace_ids, [before.trace_id])) AS trace_id
FROM before
JOIN wanted
    ON wanted.session_id = before.session_id
    AND wanted.run_id = coalesce(before.run_id, '')
    AND wanted.key = before.key
WHERE
    NOT before.dirty
    AND (
        before.trace_ids IS NOT NULL
        OR (before.ranked_ids IS NULL AND before.retrieval_query IS NULL)
        OR (before.answer IS NULL AND before.prompt_text IS NULL)
    )
