-- Note which rule made the recorded prompt, where the one that was tried did.
-- Grain: one row of told_rule a request.
-- Parameters: $packing, $ordering, the rule.
UPDATE told_rule
SET packing = CAST($packing AS VARCHAR), ordering = CAST($ordering AS VARCHAR)
FROM made
JOIN recorded ON recorded.request_id = made.request_id
WHERE made.request_id = told_rule.request_id AND made.prompt_ids = recorded.prompt_ids AND told_rule.packing IS NULL
