-- The stage spans that count for a request: the outermost of their kind, and our own where there are own ones.
-- Grain: one row a stage span of a request (trace_id, anchor_span_id, span_trace_id, span_id). `span_trace_id` is the
-- trace that the span came in, `trace_id` that of the request.
-- A span of ours is told by the spans of ours around it only, so that a plain one around it does not hide it. A call of
-- the model inside a retrieval or a rerank serves that stage and is no answer.
-- `attempt` numbers the spans of a kind from the last: 1 is the last that did not fail, else the last. `ends` marks the
-- one with which the stage ended: the last, but for one that failed beside or before a success. `alone` marks the only
-- span of its kind, as most are: nothing is sorted for them. The windows sort narrow rows, and the texts join afterwards.
CREATE OR REPLACE TEMP TABLE outermost AS
WITH candidate AS (
    SELECT
        owned.request_trace_id,
        owned.anchor_span_id,
        stage.trace_id,
        stage.span_id,
        stage.kind,
        stage.own,
        stage.failed,
        stage.start_time,
        stage.end_time
    FROM owned
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE
        stage.kind IS NOT NULL
        AND NOT list_contains(CASE WHEN stage.own THEN owned.inside_own ELSE owned.inside END, stage.kind)
        AND NOT (stage.kind = 'generation' AND list_has_any(owned.inside, ['retrieval', 'rerank']))
        AND (stage.kind <> 'request' OR owned.opens)
),
kind_of_request AS (
    SELECT
        request_trace_id,
        anchor_span_id,
        kind,
        bool_or(own) AS own,
        count(*) FILTER (own) AS own_spans,
        count(*) AS spans,
        max(end_time) FILTER (NOT failed) AS last_success
    FROM candidate
    GROUP BY request_trace_id, anchor_span_id, kind
),
counted AS (
    SELECT
        candidate.*,
        kind_of_request.last_success,
        CASE WHEN kind_of_request.own THEN kind_of_request.own_spans ELSE kind_of_request.spans END = 1 AS alone
    FROM candidate
    JOIN kind_of_request USING (request_trace_id, anchor_span_id, kind, own)
),
numbered AS (
    SELECT request_trace_id, anchor_span_id, trace_id, span_id, alone, 1 AS attempt, TRUE AS ends
    FROM counted
    WHERE alone
    UNION ALL
    SELECT
        request_trace_id,
        anchor_span_id,
        trace_id,
        span_id,
        alone,
        row_number() OVER (
            PARTITION BY request_trace_id, anchor_span_id, kind
            ORDER BY failed, end_time DESC NULLS LAST, start_time DESC NULLS LAST, span_id
        ),
        row_number() OVER (
            PARTITION BY request_trace_id, anchor_span_id, kind
            ORDER BY
                failed AND NOT coalesce(start_time >= last_success, FALSE),
                end_time DESC NULLS LAST,
                start_time DESC NULLS LAST,
                span_id
        ) = 1
    FROM counted
    WHERE NOT alone
)
SELECT
    numbered.request_trace_id AS trace_id,
    numbered.anchor_span_id,
    numbered.trace_id AS span_trace_id,
    numbered.attempt,
    numbered.ends,
    numbered.alone,
    stage.span_id,
    stage.kind,
    stage.own,
    stage.failed,
    stage.status_message,
    stage.start_time,
    stage.end_time,
    stage.search_text,
    stage.question,
    stage.ids,
    stage.scores,
    stage.texts,
    stage.top_k,
    stage.complete,
    stage.score_kind,
    stage.chunk_ids,
    stage.dropped,
    stage.budget,
    stage.budget_unit,
    stage.citations,
    stage.decision,
    stage.finish_reasons,
    stage.request_model,
    stage.response_model,
    stage.response_id,
    stage.input_tokens,
    stage.output_tokens,
    stage.input_text,
    stage.output_text,
    stage.problems
FROM numbered
JOIN stage ON stage.trace_id = numbered.trace_id AND stage.span_id = numbered.span_id
