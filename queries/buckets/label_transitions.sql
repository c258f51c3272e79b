-- Which label became which between two labellings of the same requests, under other settings or other gold.
-- Grain: one row a pair (label_before, label_after); NULL where one of the two did not label the request.
-- Parameters:
--   $before: run_id of the earlier labelling; default: the last but one (see label_runs).
--   $after: run_id of the later labelling; default: the newest.
-- `cases` names up to five of the cases, by name.
-- `ragfault compare` does it by case, for runs of the pipeline as well, with intervals and tests.
WITH newest AS (
    SELECT run_id, row_number() OVER (ORDER BY run_id DESC) AS age
    FROM label_run
),
earlier AS (
    SELECT request_id, case_id, label
    FROM label
    WHERE run_id = coalesce(CAST($before AS VARCHAR), (SELECT run_id FROM newest WHERE age = 2))
),
later AS (
    SELECT request_id, case_id, label
    FROM label
    WHERE run_id = coalesce(CAST($after AS VARCHAR), (SELECT run_id FROM newest WHERE age = 1))
)
SELECT
    earlier.label AS label_before,
    later.label AS label_after,
    earlier.label IS DISTINCT FROM later.label AS changed,
    count(*) AS requests,
    list_slice(list_sort(list(DISTINCT coalesce(later.case_id, earlier.case_id))), 1, 5) AS cases
FROM earlier
FULL JOIN later USING (request_id)
GROUP BY label_before, label_after
ORDER BY changed DESC, requests DESC, label_before NULLS LAST, label_after NULLS LAST;
