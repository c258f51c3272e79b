-- How often each label occurs among the newest labels, and what to do about it.
-- Grain: one row a label, most frequent first. Passes are rows too, so that the shares add up to 1.
CREATE OR REPLACE VIEW failure_bucket AS
SELECT
    current_label.label,
    current_label.boundary,
    count(*) AS requests,
    count(*) / sum(count(*)) OVER () AS share,
    rule.try_first,
    rule.wasted
FROM current_label
LEFT JOIN rule USING (label)
GROUP BY ALL
ORDER BY requests DESC, current_label.label;
