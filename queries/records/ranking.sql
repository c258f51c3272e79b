-- The first-stage ranking of each request, merged when several retrievals ran.
-- Grain: one row a request with a retrieval span that did not fail (trace_id, anchor_span_id).
-- One retrieval keeps its recorded order, duplicates and hits without an id. Several are merged: what was within the k
-- of any list first, then by best rank, then by the order of the retrievals; a chunk counts once, hits without an id
-- stay. `k` is then the number of chunks that were within the k of any list. If one list was not recorded, or was cut,
-- the merged ranking is not known: it is never a shorter one.
CREATE OR REPLACE TEMP TABLE ranking AS
WITH alone AS (
    SELECT *
    FROM outermost
    WHERE kind = 'retrieval' AND NOT failed AND alone
),
list AS (
    SELECT
        trace_id,
        anchor_span_id,
        ids,
        scores,
        texts,
        top_k,
        complete,
        score_kind,
        search_text,
        row_number() OVER (PARTITION BY trace_id, anchor_span_id ORDER BY start_time, span_trace_id, span_id) AS list_no
    FROM outermost
    WHERE kind = 'retrieval' AND NOT failed AND NOT alone
),
summary AS (
    SELECT
        trace_id,
        anchor_span_id,
        count(*) AS lists,
        count(*) = count(ids) AS recorded,
        count(*) = count(top_k) AS k_known,
        arg_min(ids, list_no) AS ids,
        arg_min(scores, list_no) AS scores,
        arg_min(texts, list_no) AS texts,
        CASE WHEN count(*) = 1 THEN min(top_k) END AS top_k,
        CASE WHEN bool_or(NOT complete) THEN FALSE WHEN count(*) = count(complete) THEN TRUE END AS complete,
        CASE WHEN count(*) = count(score_kind) AND min(score_kind) = max(score_kind) THEN min(score_kind) END
            AS score_kind,
        arg_min(search_text, list_no) AS search_text,
        string_agg(DISTINCT search_text, E'\n' ORDER BY search_text) AS search_texts
    FROM list
    GROUP BY trace_id, anchor_span_id
),
-- Lists are taken apart side by side: a row that carried its whole list would make work grow with the square of it.
hit AS (
    SELECT
        list.trace_id,
        list.anchor_span_id,
        list.list_no,
        list.top_k,
        generate_subscripts(list.ids, 1) AS rank,
        unnest(list.ids) AS id,
        unnest(list.scores) AS score,
        unnest(list.texts) AS text
    FROM list
    JOIN summary USING (trace_id, anchor_span_id)
    WHERE summary.lists > 1 AND summary.recorded
),
merged_hit AS (
    SELECT
        trace_id,
        anchor_span_id,
        id,
        score,
        text,
        rank,
        list_no,
        coalesce(rank <= top_k, FALSE) AS within_k
    FROM hit
    WHERE rank IS NOT NULL
    QUALIFY id IS NULL OR row_number() OVER (
        PARTITION BY trace_id, anchor_span_id, id
        ORDER BY coalesce(rank <= top_k, FALSE) DESC, rank, list_no
    ) = 1
),
merged AS (
    SELECT
        trace_id,
        anchor_span_id,
        list(id ORDER BY within_k DESC, rank, list_no) AS ids,
        list(score ORDER BY within_k DESC, rank, list_no) AS scores,
        list(text ORDER BY within_k DESC, rank, list_no) AS texts,
        count(*) FILTER (within_k) AS k
    FROM merged_hit
    GROUP BY trace_id, anchor_span_id
)
SELECT
    summary.trace_id,
    summary.anchor_span_id,
    CASE
        WHEN NOT summary.recorded THEN NULL
        WHEN summary.lists = 1 THEN summary.ids
        ELSE coalesce(merged.ids, CAST([] AS VARCHAR[]))
    END AS ids,
    CASE
        WHEN NOT summary.recorded THEN NULL
        WHEN summary.lists = 1 THEN summary.scores
        ELSE coalesce(merged.scores, CAST([] AS DOUBLE[]))
    END AS scores,
    CASE WHEN summary.lists = 1 THEN summary.texts ELSE merged.texts END AS texts,
    CASE WHEN summary.lists = 1 THEN summary.top_k WHEN summary.k_known THEN nullif(merged.k, 0) END AS top_k,
    summary.complete,
    summary.score_kind,
    summary.search_text,
    summary.search_texts
FROM summary
LEFT JOIN merged USING (trace_id, anchor_span_id)
UNION ALL
SELECT trace_id, anchor_span_id, ids, scores, texts, top_k, complete, score_kind, search_text, search_text
FROM alone
