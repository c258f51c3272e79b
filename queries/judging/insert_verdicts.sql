-- Store the judgements of the pending requests. What the judge cannot tell gets no row, with two exceptions: the verdict
-- on refusal always has one, because it marks the request as judged; and an earlier verdict is withdrawn by a row without
-- a value.
-- Grain: one row of verdict for each pending request and subject.
-- Parameters: $judged_at, the time of judging, UTC.
INSERT INTO verdict BY NAME
WITH earlier AS (
    SELECT request_id, subject, max_by(struct_pack(value := value), judged_at).value AS value
    FROM verdict
    WHERE source = 'rule'
    GROUP BY request_id, subject
)
SELECT
    pending_verdict.request_id,
    judgement.subject,
    judgement.value,
    judgement.reason,
    'rule' AS source,
    pending_verdict.config,
    CAST($judged_at AS TIMESTAMP) AS judged_at
FROM pending_verdict
JOIN judgement ON judgement.config = pending_verdict.config
LEFT JOIN earlier ON earlier.request_id = pending_verdict.request_id AND earlier.subject = judgement.subject
WHERE judgement.value IS NOT NULL OR judgement.subject = 'refusal' OR earlier.value IS NOT NULL;
