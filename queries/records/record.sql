-- The request records, in the shape of the table request.
-- Grain: one row a request.
CREATE OR REPLACE TEMP TABLE record AS
WITH
-- What any span of the request says of the request as a whole; the request span speaks first.
whole AS (
    SELECT
        owned.request_trace_id AS trace_id,
        owned.anchor_span_id,
        arg_min(stage.case_id, said_by) FILTER (stage.case_id IS NOT NULL) AS case_id,
        arg_min(stage.run_id, said_by) FILTER (stage.run_id IS NOT NULL) AS run_id,
        arg_min(stage.session_id, said_by) FILTER (stage.session_id IS NOT NULL) AS session_id,
        arg_min(stage.snapshot_id, said_by) FILTER (stage.snapshot_id IS NOT NULL) AS snapshot_id,
        arg_min(stage.user_groups, said_by) FILTER (stage.user_groups IS NOT NULL) AS user_groups,
        arg_min(stage.service, said_by) FILTER (stage.service IS NOT NULL) AS service,
        arg_min(stage.prompt_name, said_by) FILTER (stage.prompt_name IS NOT NULL) AS prompt_name,
        arg_min(stage.prompt_version, said_by) FILTER (stage.prompt_version IS NOT NULL) AS prompt_version,
        min(stage.start_time) AS started_at,
        max(stage.end_time) AS ended_at,
        count(*) AS spans,
        bool_or(coalesce(list_count(stage.texts) > 0 OR list_count(stage.input_texts) > 0, FALSE)) AS hit_texts,
        bool_or(stage.dropped_attributes AND stage.kind IN ('retrieval', 'rerank')) AS dropped_attributes,
        list(stage.problems) FILTER (len(stage.problems) > 0) AS problems,
        arg_min(stage.convention, said_by) FILTER (stage.convention IS NOT NULL AND stage.kind IS NOT NULL) AS convention
    FROM owned
    JOIN (
        SELECT
            stage.*,
            struct_pack(inner_span := kind IS DISTINCT FROM 'request', start_time := start_time, span_id := span_id)
                AS said_by
        FROM stage
    ) AS stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    GROUP BY owned.request_trace_id, owned.anchor_span_id
),
-- What the request span says; of traces that are joined, the first that asks and the last that answers.
opening AS (
    SELECT trace_id, anchor_span_id, failed, question, output_text, chunk_ids, citations, decision
    FROM outermost
    WHERE kind = 'request' AND alone
    UNION ALL
    SELECT
        trace_id,
        anchor_span_id,
        arg_max(failed, start_time),
        arg_min(question, start_time) FILTER (question IS NOT NULL),
        arg_max(output_text, start_time) FILTER (output_text IS NOT NULL),
        arg_max(chunk_ids, start_time) FILTER (chunk_ids IS NOT NULL),
        arg_max(citations, start_time) FILTER (citations IS NOT NULL),
        arg_max(decision, start_time) FILTER (decision IS NOT NULL)
    FROM outermost
    WHERE kind = 'request' AND NOT alone
    GROUP BY trace_id, anchor_span_id
),
-- The generation that answered: the one that said what the request answered, else the one that ended the stage. Models
-- and usage may be on a span inside it.
generation AS (
    SELECT *
    FROM outermost
    WHERE kind = 'generation' AND alone
    UNION ALL
    SELECT outermost.*
    FROM outermost
    LEFT JOIN opening USING (trace_id, anchor_span_id)
    WHERE outermost.kind = 'generation' AND NOT outermost.alone
    QUALIFY row_number() OVER (
        PARTITION BY trace_id, anchor_span_id
        ORDER BY
            coalesce(NOT outermost.failed AND outermost.output_text = opening.output_text, FALSE) DESC,
            outermost.ends DESC,
            outermost.end_time DESC NULLS LAST,
            outermost.span_id
    ) = 1
),
model AS (
    SELECT
        owned.request_trace_id AS trace_id,
        owned.anchor_span_id,
        arg_max(stage.request_model, stage.end_time) FILTER (stage.request_model IS NOT NULL) AS request_model,
        arg_max(stage.response_model, stage.end_time) FILTER (stage.response_model IS NOT NULL) AS response_model,
        arg_max(stage.response_id, stage.end_time) FILTER (stage.response_id IS NOT NULL) AS response_id,
        arg_max(stage.finish_reasons, stage.end_time) FILTER (stage.finish_reasons IS NOT NULL) AS finish_reasons,
        arg_max(stage.input_tokens, stage.end_time) FILTER (stage.input_tokens IS NOT NULL) AS input_tokens,
        arg_max(stage.output_tokens, stage.end_time) FILTER (stage.output_tokens IS NOT NULL) AS output_tokens,
        arg_max(stage.input_text, stage.end_time) FILTER (stage.input_text IS NOT NULL) AS input_text,
        arg_max(stage.output_text, stage.end_time) FILTER (stage.output_text IS NOT NULL) AS output_text
    FROM owned
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE stage.kind = 'generation' AND NOT stage.own AND list_contains(owned.inside, 'generation')
    GROUP BY owned.request_trace_id, owned.anchor_span_id
),
assembly AS (SELECT * FROM outermost WHERE kind = 'assembly' AND attempt = 1 AND NOT failed),
-- A reranker that shows nothing of its own passed on what assembly was given.
rerank AS (
    SELECT
        last_rerank.* REPLACE (
            CASE WHEN silent THEN given.ids ELSE last_rerank.ids END AS ids,
            CASE WHEN silent THEN given.scores ELSE last_rerank.scores END AS scores
        )
    FROM (
        SELECT *, ids IS NULL AND len(problems) = 0 AND NOT own AS silent
        FROM outermost
        WHERE kind = 'rerank' AND attempt = 1 AND NOT failed
    ) AS last_rerank
    LEFT JOIN (SELECT trace_id, anchor_span_id, ids, scores FROM assembly WHERE NOT own) AS given
        ON given.trace_id = last_rerank.trace_id AND given.anchor_span_id = last_rerank.anchor_span_id
),
-- A stage failed when its last attempt did. The first failing stage in the order of the pipeline is to blame.
failure AS (
    SELECT
        trace_id,
        anchor_span_id,
        min(struct_pack(
            position := list_position(['retrieval', 'rerank', 'assembly', 'generation', 'request'], kind),
            stage := kind,
            message := status_message
        )) AS first
    FROM (
        FROM outermost WHERE ends AND failed AND kind <> 'generation'
        UNION ALL BY NAME
        FROM generation WHERE failed
    )
    GROUP BY trace_id, anchor_span_id
),
joined_up AS (
    SELECT
        request_id.request_id,
        trace_id,
        joined_trace.traces AS trace_ids,
        anchor_span_id,
        whole.* EXCLUDE (trace_id, anchor_span_id),
        coalesce(opening.question, ranking.search_text) AS query,
        ranking.search_texts AS retrieval_query,
        rerank.span_id IS NOT NULL AS has_rerank,
        CASE WHEN rerank.span_id IS NULL THEN ranking.ids ELSE rerank.ids END AS ranked_ids,
        CASE WHEN rerank.span_id IS NULL THEN ranking.scores ELSE rerank.scores END AS ranked_scores,
        ranking.complete AS ranking_complete,
        CASE WHEN rerank.span_id IS NULL THEN ranking.score_kind ELSE rerank.score_kind END AS score_kind,
        CASE WHEN rerank.span_id IS NOT NULL THEN ranking.ids END AS candidate_ids,
        CASE WHEN rerank.span_id IS NOT NULL THEN ranking.scores END AS candidate_scores,
        CASE WHEN rerank.span_id IS NOT NULL THEN ranking.score_kind END AS candidate_score_kind,
        -- Other conventions record what a retriever returned, and all of that is passed on; our own may record more.
        coalesce(
            assembly.top_k,
            rerank.top_k,
            CASE WHEN rerank.span_id IS NULL THEN ranking.top_k END,
            CASE
                WHEN whole.convention = 'ragfault' THEN NULL
                WHEN rerank.span_id IS NULL THEN len(ranking.ids)
                ELSE len(rerank.ids)
            END
        ) AS k,
        coalesce(assembly.chunk_ids, generation.chunk_ids, opening.chunk_ids) AS prompt_ids,
        assembly.dropped,
        assembly.budget,
        assembly.budget_unit,
        coalesce(generation.input_text, model.input_text) AS prompt_text,
        coalesce(opening.output_text, generation.output_text, model.output_text) AS answer,
        -- What a torn stream had said, or what was said in the place of a stage that failed, is no answer of the pipeline.
        CASE
            WHEN opening.failed AND opening.output_text IS NULL THEN FALSE
            WHEN generation.span_id IS NOT NULL THEN NOT generation.failed
            WHEN failure.first IS NOT NULL THEN FALSE
            ELSE opening.output_text IS NOT NULL
        END AS answered,
        coalesce(generation.citations, opening.citations) AS cited_ids,
        coalesce(opening.decision, generation.decision) AS decision,
        coalesce(generation.finish_reasons, model.finish_reasons) AS finish_reasons,
        coalesce(generation.request_model, model.request_model) AS request_model,
        coalesce(generation.response_model, model.response_model) AS response_model,
        coalesce(generation.response_id, model.response_id) AS response_id,
        coalesce(generation.input_tokens, model.input_tokens) AS input_tokens,
        coalesce(generation.output_tokens, model.output_tokens) AS output_tokens,
        failure.first.stage AS error_stage,
        failure.first.message AS error_message
    FROM request_id
    JOIN whole USING (trace_id, anchor_span_id)
    LEFT JOIN opening USING (trace_id, anchor_span_id)
    LEFT JOIN ranking USING (trace_id, anchor_span_id)
    LEFT JOIN rerank USING (trace_id, anchor_span_id)
    LEFT JOIN assembly USING (trace_id, anchor_span_id)
    LEFT JOIN generation USING (trace_id, anchor_span_id)
    LEFT JOIN model USING (trace_id, anchor_span_id)
    LEFT JOIN failure USING (trace_id, anchor_span_id)
    LEFT JOIN joined_trace USING (trace_id)
),
-- What an answer cites by plain numbers. The rest of what texts tell is recovered afterwards.
marked AS (
    SELECT
        *,
        CASE WHEN cited_ids IS NULL AND len(prompt_ids) > 0 THEN chunks_at(plain_marks(answer), prompt_ids) END AS marked_ids
    FROM joined_up
)
SELECT
    request_id,
    trace_id,
    trace_ids,
    nullif(anchor_span_id, 0) AS anchor_span_id,
    case_id,
    run_id,
    session_id,
    service,
    CAST(started_at AS TIMESTAMP) AS started_at,
    CAST(ended_at AS TIMESTAMP) AS ended_at,
    query,
    retrieval_query,
    ranked_ids,
    ranked_scores,
    ranking_complete,
    score_kind,
    candidate_ids,
    candidate_scores,
    candidate_score_kind,
    has_rerank,
    k,
    prompt_ids,
    CAST(NULL AS DOUBLE[]) AS prompt_shares,
    CASE WHEN prompt_ids IS NULL THEN 'unknown' ELSE 'explicit' END AS assembly_source,
    dropped,
    budget,
    budget_unit,
    prompt_text,
    answer,
    answered,
    coalesce(cited_ids, marked_ids) AS cited_ids,
    CASE WHEN marked_ids IS NOT NULL THEN CAST([] AS VARCHAR[]) END AS unmapped_citations,
    decision,
    finish_reasons,
    request_model,
    response_model,
    response_id,
    prompt_name,
    prompt_version,
    input_tokens,
    output_tokens,
    snapshot_id,
    coalesce(convention, 'unknown') AS convention,
    error_stage,
    error_message,
    list_concat(list_filter([
        CASE WHEN query IS NULL THEN 'query' END,
        CASE WHEN ranked_ids IS NULL OR (has_rerank AND candidate_ids IS NULL) THEN 'ranking' END,
        CASE WHEN ranked_ids IS NOT NULL AND list_count(coalesce(candidate_scores, ranked_scores)) = 0
            AND len(ranked_ids) > 0 THEN 'scores' END,
        CASE WHEN (CASE WHEN has_rerank THEN candidate_score_kind ELSE score_kind END) IS NULL THEN 'score_kind' END,
        CASE WHEN ranking_complete IS NULL THEN 'ranking_complete' END,
        CASE WHEN k IS NULL THEN 'k' END,
        CASE WHEN prompt_ids IS NULL THEN 'prompt_ids' END,
        CASE WHEN prompt_text IS NULL THEN 'prompt_text' END,
        CASE WHEN answer IS NULL THEN 'answer' END,
        CASE WHEN coalesce(cited_ids, marked_ids) IS NULL THEN 'citations' END,
        CASE WHEN request_model IS NULL AND response_model IS NULL THEN 'model' END,
        CASE WHEN prompt_version IS NULL THEN 'prompt_version' END,
        CASE WHEN dropped_attributes THEN 'dropped_attributes' END
    ], lambda field: field IS NOT NULL), list_sort(list_distinct(list_concat(
        coalesce(flatten(problems), []),
        -- Spans of ours and of the GenAI conventions leave content out without a word where it is switched off; there
        -- the documents of a retrieval are content, here they are ids and stay.
        CASE WHEN (convention = 'ragfault' OR (convention = 'otel_genai' AND coalesce(ranked_ids, candidate_ids) IS NULL))
                AND coalesce(query, retrieval_query, prompt_text, answer) IS NULL AND NOT coalesce(hit_texts, FALSE)
            THEN ['content_off'] ELSE [] END
    )))) AS missing,
    spans,
    now()::TIMESTAMP AS built_at,
    user_groups,
    CASE WHEN coalesce(ranked_ids, candidate_ids) IS NOT NULL THEN 'recorded' END AS id_source,
    CAST(NULL AS VARCHAR) AS id_snapshot,
    hit_texts
FROM marked
