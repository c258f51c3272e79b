-- Which span belongs to which request.
-- Grain: one row a span that belongs to a request (trace_id, span_id). `anchor_span_id` is 0, which is no span id,
-- when the whole trace is taken as one request, because nothing in it opens one.
-- A span belongs to the nearest request span above it. `inside` lists the kinds of stage between the two, each once, so that a
-- retrieval inside a retrieval can be told; `inside_own` those that are ours. A span whose parents have not all arrived belongs to the request of the
-- trace if there is exactly one; a span beside a request span, under the same parent (landed or
-- not), belongs to none. `opens` marks the request span itself. `request_trace_id` is the trace under which the request is
-- known: the span's own, unless traces are joined.
CREATE OR REPLACE TEMP TABLE owned AS
WITH RECURSIVE
anchored AS (
    SELECT trace_id, count(*) AS anchors, any_value(span_id) AS only_anchor
    FROM anchor
    GROUP BY trace_id
),
-- Tops: spans without a parent, or whose parent is not here.
top AS (
    SELECT span.trace_id, span.span_id, span.parent_span_id IS NOT NULL AS orphan
    FROM stage AS span
    ANTI JOIN stage AS parent ON parent.trace_id = span.trace_id AND parent.span_id = span.parent_span_id
),
-- From each top of a trace with one request span down to everything below it, across request spans too.
under_orphan(trace_id, top_span_id, span_id) AS (
    SELECT top.trace_id, top.span_id, top.span_id
    FROM top
    JOIN anchored ON anchored.trace_id = top.trace_id AND anchored.anchors = 1
    WHERE top.orphan
    UNION
    SELECT child.trace_id, under_orphan.top_span_id, child.span_id
    FROM under_orphan
    JOIN stage AS child ON child.trace_id = under_orphan.trace_id AND child.parent_span_id = under_orphan.span_id
),
loose_top AS (
    SELECT DISTINCT trace_id, top_span_id AS span_id
    FROM under_orphan
    ANTI JOIN (
        SELECT under_orphan.trace_id, under_orphan.top_span_id
        FROM under_orphan
        SEMI JOIN anchor ON anchor.trace_id = under_orphan.trace_id AND anchor.span_id = under_orphan.span_id
    ) AS holds_request
        ON holds_request.trace_id = under_orphan.trace_id AND holds_request.top_span_id = under_orphan.top_span_id
    WHERE NOT EXISTS (
        FROM stage AS loose
        JOIN anchor ON anchor.trace_id = loose.trace_id
        JOIN stage AS opened ON opened.trace_id = anchor.trace_id AND opened.span_id = anchor.span_id
        WHERE
            loose.trace_id = under_orphan.trace_id
            AND loose.span_id = under_orphan.top_span_id
            AND loose.parent_span_id = opened.parent_span_id
    )
),
down(trace_id, span_id, anchor_span_id, inside, inside_own) AS (
    SELECT trace_id, span_id, span_id, CAST([] AS VARCHAR[]), CAST([] AS VARCHAR[])
    FROM anchor
    UNION ALL
    SELECT loose_top.trace_id, loose_top.span_id, anchored.only_anchor, CAST([] AS VARCHAR[]), CAST([] AS VARCHAR[])
    FROM loose_top
    JOIN anchored ON anchored.trace_id = loose_top.trace_id
    UNION ALL
    SELECT top.trace_id, top.span_id, 0, CAST([] AS VARCHAR[]), CAST([] AS VARCHAR[])
    FROM top
    ANTI JOIN anchored ON anchored.trace_id = top.trace_id
    UNION ALL
    SELECT
        child.trace_id,
        child.span_id,
        down.anchor_span_id,
        CASE WHEN parent.kind IS NULL OR parent.kind = 'request' OR list_contains(down.inside, parent.kind) THEN down.inside
            ELSE list_append(down.inside, parent.kind) END,
        CASE
            WHEN parent.kind IS NULL OR parent.kind = 'request' OR NOT parent.own OR list_contains(down.inside_own, parent.kind)
            THEN down.inside_own
            ELSE list_append(down.inside_own, parent.kind)
        END
    FROM down
    JOIN stage AS parent ON parent.trace_id = down.trace_id AND parent.span_id = down.span_id
    JOIN stage AS child ON child.trace_id = down.trace_id AND child.parent_span_id = down.span_id
    ANTI JOIN anchor ON anchor.trace_id = child.trace_id AND anchor.span_id = child.span_id
)
SELECT trace_id, span_id, anchor_span_id, inside, inside_own, span_id = anchor_span_id AS opens, trace_id AS request_trace_id
FROM down
UNION ALL
-- Parents in a circle: no top to start from, but the stages are there.
SELECT stage.trace_id, stage.span_id, 0, CAST([] AS VARCHAR[]), CAST([] AS VARCHAR[]), FALSE, stage.trace_id
FROM stage
ANTI JOIN down ON down.trace_id = stage.trace_id AND down.span_id = stage.span_id
ANTI JOIN anchored ON anchored.trace_id = stage.trace_id
