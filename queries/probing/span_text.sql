-- Texts of chunks that the spans of a trace show beside their ids, for requests whose corpus is not loaded.
-- Grain: one row a ranked hit with id and text; the same chunk may come several times.
-- Parameters: $trace_id, the trace.
SELECT hit.id AS chunk_id, coalesce(hit.content, hit.text, hit.page_content) AS text
FROM (
    SELECT unnest(from_json(
        json_payload(json_extract(attributes, '$."gen_ai.retrieval.documents"')),
        '[{"id": "VARCHAR", "content": "VARCHAR", "text": "VARCHAR", "page_content": "VARCHAR"}]'
    )) AS hit
    FROM span
    WHERE trace_id = CAST($trace_id AS UUID) AND json_exists(attributes, '$."gen_ai.retrieval.documents"')
)
WHERE hit.id IS NOT NULL AND coalesce(hit.content, hit.text, hit.page_content) IS NOT NULL
