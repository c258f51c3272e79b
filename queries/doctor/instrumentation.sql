-- Which instrumentations wrote the spans of each service. Spans of probes are none of the pipeline.
-- Grain: one row a service and instrumentation scope; `spans` counts its spans.
SELECT
    service,
    scope_name,
    list_sort(list_distinct(list(scope_version))) AS versions,
    count(*) AS spans
FROM span
ANTI JOIN probe ON probe.trace_id = span.trace_id
GROUP BY service, scope_name
ORDER BY spans DESC, service, scope_name
