-- Rankings with hits that are no chunk of the snapshot by their id, and the texts of the hits.
-- Grain: one row a request that is being built, of a snapshot, whose ids may be told by texts (request_id).
-- Parameters: $snapshot_id, the snapshot; $batch, which batch of its requests.
-- `ranked_texts` and `candidate_texts` are parallel to the ids. `shown` are the texts that other spans of the request show
-- under an id. The first stage is read from ranking, the second from the stage that record.sql reads it from.
WITH wanted AS (
    SELECT record.*, coalesce(record.anchor_span_id, 0) AS anchor
    FROM record
    JOIN held_ids ON held_ids.request_id = record.request_id
    WHERE held_ids.tellable AND held_ids.snapshot_id = $snapshot_id AND held_ids.batch = $batch
),
reranked AS (
    SELECT trace_id, anchor_span_id, texts
    FROM outermost
    WHERE kind = 'rerank' AND attempt = 1 AND NOT failed
),
passed_on AS (
    SELECT trace_id, anchor_span_id, texts
    FROM outermost
    WHERE kind = 'assembly' AND attempt = 1 AND NOT failed AND NOT own
),
of_stage AS (
    SELECT wanted.request_id, stage.ids, stage.texts, stage.input_ids, stage.input_texts
    FROM wanted
    JOIN owned ON owned.request_trace_id = wanted.trace_id AND owned.anchor_span_id = wanted.anchor
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE stage.texts IS NOT NULL OR stage.input_texts IS NOT NULL
),
shown AS (
    SELECT request_id, list(struct_pack(id := id, text := text)) AS texts
    FROM (
        SELECT request_id, unnest(ids) AS id, unnest(texts) AS text FROM of_stage WHERE texts IS NOT NULL
        UNION ALL
        SELECT request_id, unnest(input_ids), unnest(input_texts) FROM of_stage WHERE input_texts IS NOT NULL
    )
    WHERE id IS NOT NULL AND text IS NOT NULL
    GROUP BY request_id
)
SELECT
    wanted.request_id,
    wanted.ranked_ids,
    CASE WHEN wanted.has_rerank THEN coalesce(reranked.texts, passed_on.texts) ELSE ranking.texts END AS ranked_texts,
    wanted.candidate_ids,
    CASE WHEN wanted.has_rerank THEN ranking.texts END AS candidate_texts,
    wanted.prompt_ids,
    wanted.cited_ids,
    wanted.dropped,
    shown.texts AS shown
FROM wanted
LEFT JOIN ranking ON ranking.trace_id = wanted.trace_id AND ranking.anchor_span_id = wanted.anchor
LEFT JOIN reranked ON reranked.trace_id = wanted.trace_id AND reranked.anchor_span_id = wanted.anchor
LEFT JOIN passed_on ON passed_on.trace_id = wanted.trace_id AND passed_on.anchor_span_id = wanted.anchor
LEFT JOIN shown ON shown.request_id = wanted.request_id
