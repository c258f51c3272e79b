-- What sources of verdicts say against each other, or judges of one source among themselves.
-- Grain: one row a judged thing (request_id, subject, target, claim_id), those that people took part in first.
-- Parameters:
--   $subject: only this subject; default: every subject.
-- Columns: one a source with what it says (NULL: nothing, or divided); judges, each with its verdict.
WITH said AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        any_value(value) FILTER (source = 'human') AS human,
        any_value(value) FILTER (source = 'rule') AS rule,
        any_value(value) FILTER (source = 'code') AS code,
        any_value(value) FILTER (source = 'model') AS model,
        sum(yes) AS yes,
        sum(no) AS no
    FROM source_opinion
    WHERE CAST($subject AS VARCHAR) IS NULL OR subject = CAST($subject AS VARCHAR)
    GROUP BY request_id, subject, target, claim_id
    HAVING sum(yes) > 0 AND sum(no) > 0
),
judged AS (
    SELECT
        request_id,
        subject,
        target,
        claim_id,
        list(
            coalesce(judge, source) || ': ' || CASE WHEN value THEN 'yes' WHEN NOT value THEN 'no' ELSE 'cannot tell' END
            ORDER BY source, judge
        ) AS judges
    FROM judge_opinion
    GROUP BY request_id, subject, target, claim_id
)
SELECT
    said.subject,
    request.case_id,
    said.target,
    said.claim_id,
    said.human,
    said.rule,
    said.code,
    said.model,
    judged.judges,
    request.query,
    request.answer,
    said.request_id
FROM said
JOIN judged
    ON judged.request_id = said.request_id
    AND judged.subject = said.subject
    AND judged.target IS NOT DISTINCT FROM said.target
    AND judged.claim_id IS NOT DISTINCT FROM said.claim_id
JOIN request ON request.request_id = said.request_id
ORDER BY said.human IS NULL, said.subject, request.case_id, said.request_id, said.target, said.claim_id;
