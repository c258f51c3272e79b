-- Spans of the traces to build, with the attributes that say what a stage did, typed.
-- Grain: one row a span (trace_id, span_id) of a trace in dirty_trace. `kind` is NULL for spans that are no stage.
-- Our own spans name their stage; spans of the current OpenTelemetry GenAI conventions are told by their operation. Spans
-- of every other convention are read by otel_ragfault.conventions afterwards and replace their rows (read_stage).
-- A span that was sent again with another start is not found on landing: repeated_span holds the rows that repeat one.
-- Attributes that hold JSON, as text or structured, are read as text, which costs one parse instead of five.
-- A value that is not the JSON it has to be was cut on its way: it reads as NULL, and `problems` names the field.
CREATE OR REPLACE TEMP TABLE stage AS
WITH raw AS (
    SELECT
        span.*,
        from_json(span.attributes, '{
            "ragfault.case_id": "VARCHAR",
            "ragfault.run_id": "VARCHAR",
            "ragfault.corpus.snapshot_id": "VARCHAR",
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
            "gen_ai.prompt.name": "VARCHAR",
            "gen_ai.prompt.version": "VARCHAR",
            "gen_ai.system_instructions": "VARCHAR",
            "gen_ai.input.messages": "VARCHAR",
            "gen_ai.output.messages": "VARCHAR"
        }') AS a
    FROM span
    SEMI JOIN dirty_trace ON dirty_trace.trace_id = span.trace_id
    ANTI JOIN repeated_span ON repeated_span.row = span.rowid
),
payload AS (
    SELECT
        raw.*,
        CASE
            WHEN stage IN ('request', 'retrieval', 'rerank', 'assembly', 'generation') THEN stage
            WHEN operation = 'retrieval' THEN 'retrieval'
            WHEN operation IN ('chat', 'text_completion', 'generate_content') THEN 'generation'
            WHEN operation IN ('invoke_workflow', 'invoke_agent') THEN 'request'
        END AS stage_kind,
        CASE WHEN json_valid(a."gen_ai.retrieval.documents") THEN CAST(a."gen_ai.retrieval.documents" AS JSON) END AS documents_json,
        CASE WHEN json_valid(a."ragfault.assembly.chunk_ids") THEN CAST(a."ragfault.assembly.chunk_ids" AS JSON) END AS chunk_ids_json,
        CASE WHEN json_valid(a."ragfault.assembly.dropped") THEN CAST(a."ragfault.assembly.dropped" AS JSON) END AS dropped_json,
        CASE WHEN json_valid(a."ragfault.citations") THEN CAST(a."ragfault.citations" AS JSON) END AS citations_json,
        CASE WHEN json_valid(a."gen_ai.response.finish_reasons") THEN CAST(a."gen_ai.response.finish_reasons" AS JSON) END AS finish_reasons_json,
        CASE WHEN json_valid(a."gen_ai.input.messages") THEN CAST(a."gen_ai.input.messages" AS JSON) END AS input_json,
        CASE WHEN json_valid(a."gen_ai.output.messages") THEN CAST(a."gen_ai.output.messages" AS JSON) END AS output_json,
        CASE WHEN json_valid(a."gen_ai.system_instructions") THEN CAST(a."gen_ai.system_instructions" AS JSON) END AS system_json
    FROM raw
),
parsed AS (
    SELECT
        payload.*,
        from_json(documents_json, '[{"id": "VARCHAR", "score": "DOUBLE", "content": "VARCHAR"}]') AS documents,
        -- Here and not inside of a CASE, where they cost several times as much.
        part_text(system_json) AS system_text,
        message_text(input_json, NULL) AS sent_text
    FROM payload
)
SELECT
    trace_id,
    span_id,
    parent_span_id,
    start_time,
    end_time,
    service,
    stage_kind AS kind,
    coalesce(stage = stage_kind, FALSE) AS own,
    CASE WHEN coalesce(stage = stage_kind, FALSE) THEN 'ragfault' WHEN stage_kind IS NOT NULL THEN 'otel_genai' END
        AS convention,
    status_code = 2 AS failed,
    status_message,
    dropped_attributes_count > 0 AS dropped_attributes,
    a."ragfault.case_id" AS case_id,
    a."ragfault.run_id" AS run_id,
    a."ragfault.corpus.snapshot_id" AS snapshot_id,
    a."gen_ai.prompt.name" AS prompt_name,
    a."gen_ai.prompt.version" AS prompt_version,
    a."gen_ai.retrieval.query.text" AS search_text,
    list_transform(documents, lambda d: d.id) AS ids,
    list_transform(documents, lambda d: CASE WHEN isfinite(d.score) THEN d.score END) AS scores,
    list_transform(documents, lambda d: d.content) AS texts,
    FALSE AS twin,
    CAST(NULL AS VARCHAR[]) AS input_ids,
    CAST(NULL AS DOUBLE[]) AS input_scores,
    CAST(NULL AS VARCHAR[]) AS input_texts,
    CAST(NULL AS VARCHAR[]) AS prompt_hit_ids,
    CAST(NULL AS VARCHAR[]) AS prompt_hit_texts,
    CAST(NULL AS VARCHAR) AS session_id,
    CASE
        WHEN stage_kind = 'retrieval' THEN coalesce(
            a."gen_ai.retrieval.top_k",
            CASE WHEN isfinite(a."gen_ai.request.top_k") THEN CAST(a."gen_ai.request.top_k" AS BIGINT) END
        )
        ELSE a."gen_ai.retrieval.top_k"
    END AS top_k,
    a."ragfault.retrieval.complete" AS complete,
    CASE WHEN a."ragfault.retrieval.score_kind" IN ('bm25', 'similarity', 'distance')
        THEN a."ragfault.retrieval.score_kind" END AS score_kind,
    from_json(chunk_ids_json, '["VARCHAR"]') AS chunk_ids,
    from_json(dropped_json, '[{"id": "VARCHAR", "reason": "VARCHAR"}]') AS dropped,
    a."ragfault.assembly.budget" AS budget,
    a."ragfault.assembly.budget_unit" AS budget_unit,
    from_json(citations_json, '["VARCHAR"]') AS citations,
    decision_word(a."ragfault.decision") AS decision,
    from_json(finish_reasons_json, '["VARCHAR"]') AS finish_reasons,
    a."gen_ai.request.model" AS request_model,
    a."gen_ai.response.model" AS response_model,
    a."gen_ai.response.id" AS response_id,
    a."gen_ai.usage.input_tokens" AS input_tokens,
    a."gen_ai.usage.output_tokens" AS output_tokens,
    last_message_text(input_json, 'user') AS question,
    CASE
        WHEN system_json IS NULL THEN sent_text
        ELSE concat_ws(E'\n\n', system_text, sent_text)
    END AS input_text,
    message_text(output_json, NULL) AS output_text,
    list_filter([
        CASE WHEN a."gen_ai.retrieval.documents" IS NOT NULL AND documents IS NULL THEN 'cut.ranking' END,
        CASE WHEN a."ragfault.assembly.chunk_ids" IS NOT NULL AND from_json(chunk_ids_json, '["VARCHAR"]') IS NULL
            THEN 'cut.prompt_ids' END,
        CASE WHEN a."gen_ai.output.messages" IS NOT NULL AND output_json IS NULL THEN 'cut.answer' END
    ], lambda field: field IS NOT NULL) AS problems
FROM parsed
