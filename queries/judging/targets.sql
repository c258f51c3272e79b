-- What verdicts on the requests of the relation aimed_request may be about.
-- Grain: one row a request (request_id). gold_claims is [] for a case without claims, NULL without a case; the case is
-- the one that the request names, else the only one with its question. recorded_ids are chunks that the trace, or claims
-- cut by any extractor, say are cited; NULL where neither says anything.
WITH asked_once AS (
    SELECT query_key, any_value(case_id) AS case_id
    FROM gold_case
    GROUP BY query_key
    HAVING count(*) = 1
),
aimed AS (
    SELECT request.*, coalesce(named.case_id, asked_once.case_id) AS gold_case_id
    FROM request
    SEMI JOIN aimed_request ON CAST(aimed_request.request_id AS UUID) = request.request_id
    LEFT JOIN gold_case AS named ON named.case_id = request.case_id
    LEFT JOIN asked_once ON asked_once.query_key = normalise_text(request.query)
),
cut AS (
    SELECT request_id, list_distinct(flatten(list(cited_ids))) AS cited_ids
    FROM answer_claim
    WHERE len(cited_ids) > 0
    GROUP BY request_id
)
SELECT
    aimed.request_id,
    aimed.answer,
    aimed.prompt_ids,
    CASE WHEN aimed.cited_ids IS NOT NULL OR cut.cited_ids IS NOT NULL
        THEN list_concat(coalesce(aimed.cited_ids, []), coalesce(cut.cited_ids, []))
    END AS recorded_ids,
    CASE WHEN gold_case.case_id IS NOT NULL THEN coalesce(CAST(gold_case.claims AS VARCHAR), '[]') END AS gold_claims
FROM aimed
LEFT JOIN cut ON cut.request_id = aimed.request_id
LEFT JOIN gold_case ON gold_case.case_id = aimed.gold_case_id;
