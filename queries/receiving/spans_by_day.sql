-- How many spans are stored for each of the newest days.
-- Grain: one row a day (UTC) on which spans started, the newest first; day is NULL for spans without a start.
-- Parameters: days.
SELECT
    CAST(start_time AS DATE) AS day,
    count(*) AS spans
FROM span
GROUP BY day
ORDER BY day DESC NULLS LAST
LIMIT $days;
