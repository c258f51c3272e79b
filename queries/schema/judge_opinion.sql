-- What each judge says, over its repeats: the majority; NULL where it cannot tell or is divided.
-- Grain: one row a judged thing and judge (request_id, subject, target, claim_id, source, judge).
CREATE OR REPLACE VIEW judge_opinion AS
SELECT
    request_id,
    subject,
    target,
    claim_id,
    source,
    judge,
    CASE
        WHEN count(*) FILTER (value) > count(*) FILTER (NOT value) THEN TRUE
        WHEN count(*) FILTER (NOT value) > count(*) FILTER (value) THEN FALSE
    END AS value,
    count(*) FILTER (value) AS yes,
    count(*) FILTER (NOT value) AS no,
    count(*) AS repeats,
    count(failure) AS failures,
    avg(score) AS score,
    arg_max(reason, judged_at) FILTER (value) AS yes_reason,
    arg_max(reason, judged_at) FILTER (NOT value) AS no_reason,
    arg_max(reason, judged_at) FILTER (value IS NULL) AS open_reason,
    arg_max(claim, judged_at) AS claim,
    arg_max(prompt_version, judged_at) AS prompt_version,
    max(judged_at) AS judged_at
FROM newest_opinion
GROUP BY request_id, subject, target, claim_id, source, judge;
