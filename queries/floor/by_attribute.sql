-- Requests by what an attribute of their spans says: the data source that was searched, or the model that embedded.
-- Grain: one row a joined request (request_id), temporary; several names of a request are joined by a plus.
-- Parameters: $path, of the attribute as JSON has it; $operation and $stage, of the spans that are asked (NULL: none).
CREATE OR REPLACE TEMP TABLE grouped AS
WITH traced AS (
    SELECT request.request_id, unnest(coalesce(request.trace_ids, [request.trace_id])) AS trace_id
    FROM request
    SEMI JOIN joined ON joined.request_id = request.request_id
),
named AS (
    SELECT traced.request_id, json_extract_string(span.attributes, CAST($path AS VARCHAR)) AS name
    FROM traced
    JOIN span ON span.trace_id = traced.trace_id
    WHERE span.operation = CAST($operation AS VARCHAR) OR span.stage = CAST($stage AS VARCHAR)
)
SELECT
    joined.request_id,
    list_aggregate(list_sort(list(DISTINCT named.name) FILTER (named.name IS NOT NULL)), 'string_agg', ' + ')
        AS group_value
FROM joined
LEFT JOIN named ON named.request_id = joined.request_id
GROUP BY joined.request_id
