-- What people are asked to judge: requests, and for claims and citations each of them, with what has to be read for it.
-- Grain: one row a thing to be judged (request_id, subject, target, claim_id). Gold is that of the relation joined.
-- Parameters: $subjects, which of them; $version, of the extractor of claims; $disputed, only what sources dispute;
-- $judged_too, also what people judged already; $limit, requests at the most (NULL: all). The choice of requests is by a
-- digest of their ids: any share of them is a fair one, and the same again.
WITH gold AS (
    SELECT joined.request_id, gold_case.case_id, gold_case.answer_check, gold_case.claims
    FROM joined
    JOIN gold_case ON gold_case.case_id = joined.case_id
),
thing AS (
    SELECT request_id, unnest(['answer', 'refusal', 'clarification', 'grounded']) AS subject,
        NULL AS target, NULL AS claim_id, NULL AS claim
    FROM request
    UNION ALL
    SELECT request_id, unnest(['claim_support', 'claim_correct']), claim_id, NULL, text
    FROM answer_claim
    WHERE extractor_version = $version AND needs_support
    UNION ALL
    SELECT request_id, 'citation', unnest(cited_ids), claim_id, text
    FROM answer_claim
    WHERE extractor_version = $version
    UNION ALL
    SELECT request_id, 'claim_found', claim ->> '$.id', NULL, claim ->> '$.text'
    FROM (SELECT request_id, unnest(CAST(claims AS JSON[])) AS claim FROM gold)
),
open AS (
    SELECT thing.*
    FROM thing
    LEFT JOIN trusted_verdict AS trusted
        ON trusted.request_id = thing.request_id
        AND trusted.subject = thing.subject
        AND trusted.target IS NOT DISTINCT FROM thing.target
        AND trusted.claim_id IS NOT DISTINCT FROM thing.claim_id
    LEFT JOIN source_opinion AS people
        ON people.request_id = thing.request_id
        AND people.subject = thing.subject
        AND people.target IS NOT DISTINCT FROM thing.target
        AND people.claim_id IS NOT DISTINCT FROM thing.claim_id
        AND people.source = 'human'
    WHERE list_contains($subjects, thing.subject)
        AND ($judged_too OR people.value IS NULL)
        AND (NOT $disputed OR trusted.disputed)
),
chosen AS (
    SELECT request_id
    FROM (SELECT DISTINCT request_id FROM open)
    ORDER BY md5(CAST(request_id AS VARCHAR))
    LIMIT coalesce(CAST($limit AS BIGINT), 9223372036854775807)
)
SELECT
    trace_hex(open.request_id) AS request_id,
    coalesce(request.case_id, gold.case_id) AS case_id,
    request.run_id,
    open.subject,
    open.target,
    open.claim_id,
    open.claim,
    request.query,
    CAST(gold.answer_check AS VARCHAR) AS expected,
    request.answer
FROM open
SEMI JOIN chosen ON chosen.request_id = open.request_id
JOIN request ON request.request_id = open.request_id
LEFT JOIN gold ON gold.request_id = open.request_id
ORDER BY md5(CAST(open.request_id AS VARCHAR)), open.subject, len(open.claim_id), open.claim_id, len(open.target), open.target;
