-- Which instrumentations wrote the spans of each service.
-- Grain: one row a service and instrumentation scope; `spans` counts its spans.
SELECT
    service,
    scope_name,
    list_sort(list_distinct(list(scope_version))) AS versions,
    count(*) AS spans
FROM span
GROUP BY service, scope_name
ORDER BY spans DESC, service, scope_name
