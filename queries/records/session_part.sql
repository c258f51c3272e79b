-- Traces that may be a part of a question which the application spread over several: those that name a session, hold one
-- request, and lack the beginning or the end of the pipeline.
-- Grain: one row a trace (trace_id). `key` is the case, else the question. `first_stage` and `last_stage` count retrieval as
-- 1, rerank 2, assembly 3, generation 4.
-- A whole request, with its retrieval and its answer, is no part of another.
CREATE OR REPLACE TEMP TABLE session_part AS
WITH told AS (
    SELECT
        owned.trace_id,
        any_value(owned.anchor_span_id) AS anchor_span_id,
        arg_min(stage.session_id, stage.said_by) FILTER (stage.session_id IS NOT NULL) AS session_id,
        arg_min(stage.run_id, stage.said_by) FILTER (stage.run_id IS NOT NULL) AS run_id,
        arg_min(stage.case_id, stage.said_by) FILTER (stage.case_id IS NOT NULL) AS case_id,
        arg_min(stage.question, stage.start_time) FILTER (owned.opens) AS question,
        arg_min(stage.search_text, stage.start_time) FILTER (stage.kind = 'retrieval' AND NOT stage.failed) AS search_text,
        bool_or(stage.output_text IS NOT NULL AND owned.opens) AS answered,
        min(stage.start_time) AS started_at,
        min(stage.place) FILTER (NOT stage.is_call OR NOT list_has_any(owned.inside, ['retrieval', 'rerank'])) AS first_stage,
        max(stage.place) FILTER (NOT stage.is_call OR NOT list_has_any(owned.inside, ['retrieval', 'rerank'])) AS last_stage
    FROM owned
    JOIN (
        SELECT
            *,
            list_position(['retrieval', 'rerank', 'assembly', 'generation'], kind) AS place,
            kind = 'generation' AS is_call,
            struct_pack(inner_span := kind IS DISTINCT FROM 'request', start_time := start_time, span_id := span_id) AS said_by
        FROM stage
    ) AS stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    SEMI JOIN (FROM stage WHERE session_id IS NOT NULL) AS named ON named.trace_id = owned.trace_id
    GROUP BY owned.trace_id
    HAVING count(DISTINCT owned.anchor_span_id) = 1
)
SELECT
    trace_id,
    anchor_span_id,
    session_id,
    coalesce(run_id, '') AS run_id,
    coalesce('case ' || case_id, 'question ' || normalise_text(coalesce(question, search_text))) AS key,
    started_at,
    first_stage,
    last_stage,
    answered
FROM told
WHERE (last_stage < 4 AND NOT answered OR first_stage > 1) AND key IS NOT NULL
