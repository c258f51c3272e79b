-- The texts of chunks that the spans of a request show.
-- Those whose ids were told by their texts (told_text) are known under the id of the chunk, too.
-- Grain: one row a chunk with a text of a request whose prompt ids are not recorded (request_id, id), temporary.
CREATE OR REPLACE TEMP TABLE known_text AS
WITH shown AS (
    SELECT record.request_id, unnest(stage.ids) AS id, unnest(stage.texts) AS text
    FROM record
    JOIN owned ON owned.request_trace_id = record.trace_id AND owned.anchor_span_id = coalesce(record.anchor_span_id, 0)
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE record.prompt_ids IS NULL AND record.prompt_text IS NOT NULL AND stage.texts IS NOT NULL
    UNION ALL
    SELECT record.request_id, unnest(stage.input_ids), unnest(stage.input_texts)
    FROM record
    JOIN owned ON owned.request_trace_id = record.trace_id AND owned.anchor_span_id = coalesce(record.anchor_span_id, 0)
    JOIN stage ON stage.trace_id = owned.trace_id AND stage.span_id = owned.span_id
    WHERE record.prompt_ids IS NULL AND record.prompt_text IS NOT NULL AND stage.input_texts IS NOT NULL
    UNION ALL
    FROM told_text
)
SELECT request_id, id, any_value(text) AS text
FROM shown
WHERE id IS NOT NULL AND text IS NOT NULL
GROUP BY request_id, id
