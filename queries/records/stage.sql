-- Spans of the traces to build, with the attributes that say what a stage did, typed.
-- Grain: one row a span (trace_id, span_id) of a trace in dirty_trace. `kind` is NULL for spans that are no stage.
-- Our own spans name their stage; spans of the current OpenTelemetry GenAI conventions are told by their operation. Spans
-- of every other convention are read by otel_ragfault.conventions afterwards and replace their rows (read_stage).
-- `plain` marks spans of the GenAI conventions that are whole and simple, so that what stands here is what the convention
-- would say. All that is odd is left to it, and it tells why something is missing: content switched off, cut JSON, parts
-- that are no text, several choices, names of other conventions or of older times, the prompt of a reranker.
-- A span that was sent again with another start is not found on landing: repeated_span holds the rows that repeat one.
-- Attributes that hold JSON, as text or structured, are read as text, and each is parsed once, all of it, where its stage
-- needs it. A value that is not the JSON it has to be was cut on its way: it reads as NULL (TRY), and `problems` names the
-- field.
-- Texts are made outside of the CASE that chooses them: inside they cost several times as much.
CREATE OR REPLACE TEMP TABLE stage AS
WITH raw AS (
    SELECT
        span.rowid AS row,
        span.trace_id,
        span.span_id,
        span.parent_span_id,
        span.start_time,
        span.end_time,
        span.service,
        span.scope_name,
        span.name,
        span.operation,
        span.stage,
        span.status_code = 2 AS failed,
        span.status_message,
        span.dropped_attributes_count > 0 AS dropped_attributes,
        span.events IS NOT NULL AS has_events,
        CASE
            WHEN span.stage IN ('request', 'retrieval', 'rerank', 'assembly', 'generation') THEN span.stage
            WHEN span.operation = 'retrieval' THEN 'retrieval'
            WHEN span.operation IN ('chat', 'text_completion', 'generate_content') THEN 'generation'
            WHEN span.operation IN ('invoke_workflow', 'invoke_agent') THEN 'request'
        END AS kind,
        span.attributes,
        from_json(span.attributes, '{
            "ragfault.case_id": "VARCHAR", "case_id": "VARCHAR", "case.id": "VARCHAR", "test.case.name": "VARCHAR",
            "ragfault.run_id": "VARCHAR", "run_id": "VARCHAR", "run.id": "VARCHAR",
            "ragfault.corpus.snapshot_id": "VARCHAR", "snapshot_id": "VARCHAR", "corpus_snapshot_id": "VARCHAR",
            "session.id": "VARCHAR", "gen_ai.conversation.id": "VARCHAR", "session_id": "VARCHAR",
            "thread_id": "VARCHAR", "conversation_id": "VARCHAR",
            "ragfault.user.groups": "VARCHAR",
            "ragfault.retrieval.complete": "BOOLEAN",
            "ragfault.retrieval.score_kind": "VARCHAR",
            "ragfault.assembly.chunk_ids": "VARCHAR",
            "ragfault.assembly.dropped": "VARCHAR",
            "ragfault.assembly.budget": "BIGINT",
            "ragfault.assembly.budget_unit": "VARCHAR",
            "ragfault.citations": "VARCHAR",
            "ragfault.decision": "VARCHAR",
            "gen_ai.retrieval.query.text": "VARCHAR",
            "gen_ai.retrieval.documents": "VARCHAR",
            "gen_ai.retrieval.top_k": "BIGINT",
            "gen_ai.request.top_k": "DOUBLE",
            "gen_ai.request.model": "VARCHAR",
            "gen_ai.response.model": "VARCHAR",
            "gen_ai.response.id": "VARCHAR",
            "gen_ai.response.finish_reasons": "VARCHAR",
            "gen_ai.usage.input_tokens": "BIGINT",
            "gen_ai.usage.output_tokens": "BIGINT",
            "gen_ai.prompt.name": "VARCHAR", "prompt_name": "VARCHAR",
            "gen_ai.prompt.version": "VARCHAR", "prompt_version": "VARCHAR",
            "gen_ai.system_instructions": "VARCHAR",
            "gen_ai.input.messages": "VARCHAR",
            "gen_ai.output.messages": "VARCHAR",
            "openinference.span.kind": "VARCHAR", "traceloop.span.kind": "VARCHAR", "llm.request.type": "VARCHAR",
            "mlflow.spanType": "VARCHAR", "langfuse.observation.type": "VARCHAR", "langsmith.span.kind": "VARCHAR",
            "haystack.component.type": "VARCHAR", "aws.bedrock.knowledge_base.id": "VARCHAR", "gen_ai.system": "VARCHAR",
            "gen_ai.retrieval.query": "VARCHAR", "gen_ai.response.finish_reason": "VARCHAR",
            "gen_ai.usage.prompt_tokens": "VARCHAR", "gen_ai.usage.completion_tokens": "VARCHAR",
            "gen_ai.prompt": "VARCHAR", "gen_ai.completion": "VARCHAR",
            "gen_ai.prompt.0.content": "VARCHAR", "gen_ai.completion.0.content": "VARCHAR",
            "llm.prompts.0.content": "VARCHAR"
        }') AS a
    FROM span
    SEMI JOIN dirty_trace ON dirty_trace.trace_id = span.trace_id
    ANTI JOIN repeated_span ON repeated_span.row = span.rowid
),
chosen AS (
    SELECT
        raw.*,
        coalesce(stage = kind, FALSE) AS own,
        CASE WHEN kind IN ('retrieval', 'rerank') THEN a."gen_ai.retrieval.documents" END AS documents_json,
        CASE WHEN kind IN ('request', 'generation') THEN a."gen_ai.input.messages" END AS input_json,
        CASE WHEN kind IN ('request', 'generation') THEN a."gen_ai.output.messages" END AS output_json,
        CASE WHEN kind = 'generation' THEN a."gen_ai.system_instructions" END AS system_json
    FROM raw
),
parsed AS (
    SELECT
        chosen.*,
        TRY(from_json(
            documents_json,
            '[{"id": "VARCHAR", "score": "DOUBLE", "content": "VARCHAR", "text": "VARCHAR", "page_content": "VARCHAR"}]'
        )) AS documents,
        TRY(from_json(a."ragfault.assembly.chunk_ids", '["VARCHAR"]')) AS chunk_ids,
        TRY(from_json(a."gen_ai.response.finish_reasons", '["VARCHAR"]')) AS finish_reasons,
        TRY(parsed_messages(input_json)) AS sent,
        TRY(parsed_messages(output_json)) AS said,
        TRY(parsed_parts(system_json)) AS system
    FROM chosen
),
texts AS (
    SELECT
        parsed.*,
        list_transform(documents, lambda d: d.id) AS ids,
        part_text(system) AS system_text,
        message_text(CASE WHEN kind = 'generation' THEN sent END) AS sent_text,
        last_message_text(CASE WHEN kind = 'request' THEN sent END, ['user', 'human']) AS question,
        message_text(said) AS output_text,
        list_transform(said, lambda message: message.finish_reason) AS said_reasons,
        are_plain_messages(CASE WHEN stage IS NULL THEN sent END) AS sent_is_plain,
        are_plain_messages(CASE WHEN stage IS NULL THEN said END) AS said_is_plain
    FROM parsed
),
prompts AS (
    SELECT
        texts.*,
        CASE WHEN system IS NULL THEN sent_text ELSE concat_ws(E'\n\n', system_text, sent_text) END AS input_text
    FROM texts
),
heads AS (SELECT prompts.*, left(CASE WHEN stage IS NULL THEN input_text END, 1500) AS head FROM prompts),
judged AS (
    SELECT
        heads.*,
        coalesce(
            stage IS NULL
            AND operation IN ('retrieval', 'chat', 'text_completion', 'generate_content', 'invoke_workflow')
            AND NOT dropped_attributes
            AND NOT has_events
            AND CASE kind
                WHEN 'retrieval' THEN len(ids) = list_count(ids)
                WHEN 'generation' THEN input_text IS NOT NULL OR output_text IS NOT NULL
                ELSE TRUE
            END
            AND coalesce(
                a."openinference.span.kind",
                a."traceloop.span.kind",
                a."llm.request.type",
                a."mlflow.spanType",
                a."langfuse.observation.type",
                a."langsmith.span.kind",
                a."haystack.component.type",
                a."aws.bedrock.knowledge_base.id",
                a."gen_ai.system",
                a."gen_ai.retrieval.query",
                a."gen_ai.response.finish_reason",
                a."gen_ai.usage.prompt_tokens",
                a."gen_ai.usage.completion_tokens",
                a."gen_ai.prompt",
                a."gen_ai.completion",
                a."gen_ai.prompt.0.content",
                a."gen_ai.completion.0.content",
                a."llm.prompts.0.content"
            ) IS NULL
            AND NOT regexp_matches(
                coalesce(scope_name, ''),
                '^(openinference|traceloop|mlflow|langsmith|langfuse|haystack|pydantic|llama_?index)|bedrock'
                || '|^opentelemetry\.instrumentation\.([^g]|g[^e]|ge[^n])'
            )
            AND NOT starts_with(name, 'haystack.')
            AND (a."gen_ai.response.finish_reasons" IS NULL OR finish_reasons IS NOT NULL)
            AND (kind = 'retrieval' OR a."gen_ai.input.messages" IS NULL OR sent_is_plain)
            AND (kind = 'retrieval' OR a."gen_ai.output.messages" IS NULL OR (said_is_plain AND len(said) = 1))
            AND (kind <> 'generation' OR a."gen_ai.system_instructions" IS NULL OR are_plain_parts(system)),
            FALSE
        )
        AND NOT coalesce(asks_for_no_answer(head), FALSE) AS plain
    FROM heads
),
named AS (
    SELECT judged.*, json_keys(CASE WHEN stage IS NULL AND NOT plain THEN attributes END) AS names
    FROM judged
)
SELECT
    trace_id,
    span_id,
    parent_span_id,
    start_time,
    end_time,
    service,
    kind,
    own,
    CASE WHEN own THEN 'ragfault' WHEN kind IS NOT NULL THEN 'otel_genai' END AS convention,
    failed,
    status_message,
    dropped_attributes,
    coalesce(nullif(a."ragfault.case_id", ''), nullif(a.case_id, ''), nullif(a."case.id", ''), nullif(a."test.case.name", ''))
        AS case_id,
    coalesce(nullif(a."ragfault.run_id", ''), nullif(a.run_id, ''), nullif(a."run.id", '')) AS run_id,
    coalesce(
        nullif(a."ragfault.corpus.snapshot_id", ''), nullif(a.snapshot_id, ''), nullif(a.corpus_snapshot_id, '')
    ) AS snapshot_id,
    names_in(a."ragfault.user.groups") AS user_groups,
    coalesce(
        nullif(a."session.id", ''),
        nullif(a."gen_ai.conversation.id", ''),
        nullif(a.session_id, ''),
        nullif(a.thread_id, ''),
        nullif(a.conversation_id, '')
    ) AS session_id,
    coalesce(nullif(a."gen_ai.prompt.name", ''), nullif(a.prompt_name, '')) AS prompt_name,
    coalesce(nullif(a."gen_ai.prompt.version", ''), nullif(a.prompt_version, '')) AS prompt_version,
    a."gen_ai.retrieval.query.text" AS search_text,
    ids,
    list_transform(documents, lambda d: CASE WHEN isfinite(d.score) THEN d.score END) AS scores,
    list_transform(documents, lambda d: coalesce(d.content, d.text, d.page_content)) AS texts,
    FALSE AS twin,
    CAST(NULL AS VARCHAR[]) AS input_ids,
    CAST(NULL AS DOUBLE[]) AS input_scores,
    CAST(NULL AS VARCHAR[]) AS input_texts,
    CAST(NULL AS VARCHAR[]) AS prompt_hit_ids,
    CAST(NULL AS VARCHAR[]) AS prompt_hit_texts,
    CASE
        WHEN kind = 'retrieval' THEN coalesce(
            a."gen_ai.retrieval.top_k",
            TRY_CAST(a."gen_ai.request.top_k" AS BIGINT)
        )
        ELSE a."gen_ai.retrieval.top_k"
    END AS top_k,
    a."ragfault.retrieval.complete" AS complete,
    CASE WHEN a."ragfault.retrieval.score_kind" IN ('bm25', 'similarity', 'distance')
        THEN a."ragfault.retrieval.score_kind" END AS score_kind,
    chunk_ids,
    TRY(from_json(a."ragfault.assembly.dropped", '[{"id": "VARCHAR", "reason": "VARCHAR"}]')) AS dropped,
    a."ragfault.assembly.budget" AS budget,
    a."ragfault.assembly.budget_unit" AS budget_unit,
    TRY(from_json(a."ragfault.citations", '["VARCHAR"]')) AS citations,
    decision_word(a."ragfault.decision") AS decision,
    coalesce(finish_reasons, nullif(list_filter(said_reasons, lambda reason: reason <> ''), [])) AS finish_reasons,
    a."gen_ai.request.model" AS request_model,
    a."gen_ai.response.model" AS response_model,
    a."gen_ai.response.id" AS response_id,
    a."gen_ai.usage.input_tokens" AS input_tokens,
    a."gen_ai.usage.output_tokens" AS output_tokens,
    question,
    input_text,
    output_text,
    list_filter([
        CASE WHEN kind IN ('retrieval', 'rerank') AND a."gen_ai.retrieval.documents" IS NOT NULL AND documents IS NULL
            THEN 'cut.ranking' END,
        CASE WHEN a."ragfault.assembly.chunk_ids" IS NOT NULL AND chunk_ids IS NULL THEN 'cut.prompt_ids' END,
        CASE WHEN said IS NULL THEN CASE WHEN NOT json_valid(output_json) THEN 'cut.answer' END END
    ], lambda field: field IS NOT NULL) AS problems,
    row,
    plain,
    -- Whether a convention that is known may have written it.
    names IS NOT NULL AND (
        has_events
        OR regexp_matches(
            list_aggregate(names, 'string_agg', ' '),
            'openinference|traceloop|mlflow|langsmith|langfuse|haystack|pydantic|gen_ai\.|db\.(query|search|system)|llm\.'
            || '|retrieval|metadata'
        )
        OR regexp_matches(coalesce(scope_name, ''), 'mlflow|langsmith|langfuse|haystack|llama_?index|openinference|pydantic')
    ) AS unread
FROM named
