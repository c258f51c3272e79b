-- The spans that a convention has to be asked about: neither ours, nor of the current GenAI conventions, which stage.sql
-- reads itself.
-- Grain: one row a span of a trace in dirty_trace. `read_already` marks what stage.sql has read: only a mapping is asked.
-- Parameters: $every, whether to ask about every other span (a mapping or a convention of another package is in use);
-- else only about those whose attributes or scope belong to a convention that is known; $mapped, whether a mapping is in
-- use.
WITH candidate AS (
    SELECT
        span.*,
        coalesce(
            span.operation IN ('retrieval', 'chat', 'text_completion', 'generate_content', 'invoke_workflow')
            AND NOT regexp_matches(
                span.attributes,
                'openinference|traceloop|mlflow|langsmith|langfuse|haystack|pydantic|gen_ai\.(prompt|completion)'
                || '|gen_ai\.system"|_ref"|case[._]id|test\.case|metadata|session\.id|bedrock'
                -- prompts of rerankers, compressors and query rewriters: whose calls are no answer
                || '|documents is shown below|Respond with the numbers|multiple search queries|write a passage to answer'
                || '|standalone question|Sort the Documents|context is relevant to the question|part of the context \*AS'
                || '|versions of the given user'
            )
            AND NOT regexp_matches(coalesce(span.scope_name, ''), 'mlflow|langsmith|langfuse|haystack|bedrock|pydantic')
            AND span.events IS NULL
            AND span.dropped_attributes_count = 0,
            FALSE
        ) AS read_already
    FROM span
    SEMI JOIN dirty_trace ON dirty_trace.trace_id = span.trace_id
    ANTI JOIN repeated_span ON repeated_span.row = span.rowid
    WHERE span.stage IS NULL
)
SELECT
    candidate.trace_id,
    candidate.span_id,
    candidate.read_already,
    coalesce(candidate.scope_name, '') AS scope_name,
    coalesce(candidate.scope_version, '') AS scope_version,
    candidate.name,
    candidate.attributes,
    candidate.events,
    candidate.status_code = 2 AS failed,
    candidate.dropped_attributes_count,
    candidate.dropped_events_count,
    candidate.parent_span_id IS NOT NULL AS has_parent,
    candidate.resource
FROM candidate
WHERE CASE
    WHEN candidate.read_already THEN $mapped
    ELSE
        $every
        OR candidate.events IS NOT NULL
        OR regexp_matches(
            candidate.attributes,
            'openinference|traceloop|mlflow|langsmith|langfuse|haystack|pydantic|gen_ai\.|db\.(query|search|system)'
            || '|llm\.|retrieval|case[._]id|test\.case|session\.id|metadata'
        )
        OR regexp_matches(coalesce(candidate.scope_name, ''), 'mlflow|langsmith|langfuse|haystack|llamaindex|openinference')
    END
