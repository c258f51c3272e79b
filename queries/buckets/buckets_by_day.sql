-- Labels over time: when did a failure begin?
-- Grain: one row a label of a day (UTC) on which requests started, newest day first; NULL where no start was recorded.
-- Parameters:
--   $days: only the last so many days that have requests; default: 30.
-- `share` is the part of the requests of that day.
WITH by_day AS (
    SELECT CAST(started_at AS DATE) AS day, label, count(*) AS requests
    FROM current_label
    GROUP BY day, label
)
SELECT day, label, requests, requests / sum(requests) OVER (PARTITION BY day) AS share
FROM by_day
QUALIFY dense_rank() OVER (ORDER BY day DESC NULLS LAST) <= coalesce(CAST($days AS INTEGER), 30)
ORDER BY day DESC NULLS LAST, requests DESC, label;
