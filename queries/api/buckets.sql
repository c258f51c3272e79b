-- How often each label occurs in a run, and what to do about it, for notebooks.
-- Grain: one row a label, most frequent first. Passes are rows too, so that the shares add up to 1.
-- Parameters: $pipeline, $labelling, as in labels.
WITH chosen AS (
    SELECT label.*
    FROM label
    JOIN request USING (request_id)
    WHERE ($labelling IS NULL OR label.run_id = CAST($labelling AS VARCHAR))
        AND ($pipeline IS NULL OR request.run_id = CAST($pipeline AS VARCHAR))
    QUALIFY row_number() OVER (PARTITION BY label.request_id ORDER BY label.run_id DESC) = 1
)
SELECT
    chosen.label,
    chosen.boundary,
    count(*) AS requests,
    count(*) / sum(count(*)) OVER () AS share,
    rule.try_first,
    rule.wasted
FROM chosen
LEFT JOIN rule USING (label)
GROUP BY chosen.label, chosen.boundary, rule.try_first, rule.wasted
ORDER BY requests DESC, chosen.label;
