-- Labels of each tag of the gold cases: which kind of question fails where.
-- Grain: one row a label of a tag. A case with several tags counts in each; NULL is the cases without tags.
-- `share` is the part of the requests of that tag.
WITH tagged AS (
    SELECT
        current_label.label,
        unnest(CASE WHEN len(gold_case.tags) > 0 THEN list_distinct(gold_case.tags) ELSE [NULL] END) AS tag
    FROM current_label
    JOIN gold_case USING (case_id)
)
SELECT
    tag,
    label,
    count(*) AS requests,
    count(*) / sum(count(*)) OVER (PARTITION BY tag) AS share
FROM tagged
GROUP BY tag, label
ORDER BY tag NULLS LAST, requests DESC, label;
