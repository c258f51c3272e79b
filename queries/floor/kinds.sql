-- What the requests with gold are good for, as far as a floor goes.
-- Grain: one row a group of requests and reason (group_value, unusable); unusable is NULL for what can be used.
SELECT group_value, unusable, count(*) AS requests, list_sort(list(DISTINCT run_id) FILTER (run_id IS NOT NULL)) AS runs
FROM observed
GROUP BY group_value, unusable
ORDER BY group_value NULLS LAST, unusable NULLS FIRST
