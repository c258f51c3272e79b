-- What reached the spool and could not be stored, by reason, the most frequent first.
-- Grain: one row a reason. A piece that is no whole record counts as one.
-- Parameters: reasons.
SELECT
    reason,
    CAST(sum(greatest(spans, 1)) AS UBIGINT) AS rejected
FROM rejected_span
GROUP BY reason
ORDER BY rejected DESC, reason
LIMIT $reasons;
