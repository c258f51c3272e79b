-- Texts of chunks that the spans of traces show beside their ids, for requests whose corpus is not loaded.
-- Grain: one row a ranked hit with id and text; the same chunk may come several times.
-- Parameters: $trace_ids, the traces, as 32 hex digits.
SELECT trace_hex(trace_id) AS trace_id, hit.id AS chunk_id, coalesce(hit.content, hit.text, hit.page_content) AS text
FROM (
    SELECT
        trace_id,
        unnest(from_json(
            json_payload(json_extract(attributes, '$."gen_ai.retrieval.documents"')),
            '[{"id": "VARCHAR", "content": "VARCHAR", "text": "VARCHAR", "page_content": "VARCHAR"}]'
        )) AS hit
    FROM span
    SEMI JOIN (SELECT CAST(unnest(CAST($trace_ids AS VARCHAR[])) AS UUID) AS trace_id) AS wanted
        ON wanted.trace_id = span.trace_id
    WHERE json_exists(attributes, '$."gen_ai.retrieval.documents"')
)
WHERE hit.id IS NOT NULL AND coalesce(hit.content, hit.text, hit.page_content) IS NOT NULL
