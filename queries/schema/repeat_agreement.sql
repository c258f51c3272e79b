-- How far a judge agrees with itself: pairs of repeats of the same question that say the same.
-- Grain: one row a judge and subject (source, judge, prompt_version, subject) that judged something more than once.
CREATE OR REPLACE VIEW repeat_agreement AS
WITH counted AS (
    SELECT
        source,
        judge,
        prompt_version,
        subject,
        count(*) FILTER (value) AS yes,
        count(*) FILTER (NOT value) AS no
    FROM newest_opinion
    WHERE value IS NOT NULL
    GROUP BY source, judge, prompt_version, subject, request_id, target, claim_id
    HAVING count(*) > 1
)
SELECT
    source,
    judge,
    prompt_version,
    subject,
    count(*) AS questions,
    count(*) FILTER (yes = 0 OR no = 0) AS unanimous,
    CAST(sum((yes + no) * (yes + no - 1) // 2) AS BIGINT) AS pairs,
    CAST(sum((yes * (yes - 1) + no * (no - 1)) // 2) AS BIGINT) AS agreed,
    sum(yes * (yes - 1) + no * (no - 1)) / sum((yes + no) * (yes + no - 1)) AS agreement
FROM counted
GROUP BY source, judge, prompt_version, subject
ORDER BY source, judge, prompt_version, subject;
