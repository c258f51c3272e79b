-- How far judges agree with themselves on the claims of a request: the claims stay as they were cut, the judging is repeated.
-- Grain: one row a judge and subject that judged a claim, or a citation, of the request more than once.
-- Parameters: $request_id, the request.
-- `things` counts what was judged more than once, `unanimous` where every repeat says the same; `pairs` counts pairs of
-- repeats, `agreed` those that say the same. `varies` names up to five things that were judged differently.
WITH counted AS (
    SELECT
        judge,
        subject,
        coalesce(claim_id, target) AS claim_id,
        count(*) AS repeats,
        count(*) FILTER (value) AS yes,
        count(*) FILTER (NOT value) AS no,
        count(*) FILTER (value IS NULL) AS unclear
    FROM newest_opinion
    WHERE
        request_id = CAST($request_id AS UUID)
        AND source = 'model'
        AND subject IN ('claim_support', 'claim_correct', 'claim_found', 'citation')
        AND failure IS NULL
    GROUP BY judge, subject, claim_id, target
    HAVING count(*) > 1
)
SELECT
    judge,
    subject,
    max(repeats) AS repeats,
    count(*) AS things,
    count(*) FILTER (greatest(yes, no, unclear) = repeats) AS unanimous,
    CAST(sum(repeats * (repeats - 1) // 2) AS BIGINT) AS pairs,
    CAST(sum((yes * (yes - 1) + no * (no - 1) + unclear * (unclear - 1)) // 2) AS BIGINT) AS agreed,
    list_slice(list(DISTINCT claim_id ORDER BY claim_id) FILTER (greatest(yes, no, unclear) < repeats), 1, 5) AS varies
FROM counted
GROUP BY judge, subject
ORDER BY judge, subject
