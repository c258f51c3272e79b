-- What our rules read of each request to judge its claims.
-- Grain: one row a request of the relation unchecked_request with a number of the batch (request_id).
-- Parameters: $version, of the extractor of claims; $first, $last, the batch.
WITH batch AS (
    SELECT * FROM unchecked_request WHERE number BETWEEN $first AND $last
),
quoted AS (
    SELECT case_id, list(DISTINCT quote ORDER BY quote) AS quotes
    FROM gold_evidence
    WHERE quote IS NOT NULL
    GROUP BY case_id
),
cut AS (
    SELECT
        answer_claim.request_id,
        list(
            struct_pack(
                claim_id := answer_claim.claim_id,
                text := answer_claim.text,
                cited := answer_claim.cited_ids,
                astray := answer_claim.astray,
                states := answer_claim.needs_support
            )
            ORDER BY answer_claim.claim_no
        ) AS claims
    FROM answer_claim
    SEMI JOIN batch ON batch.request_id = answer_claim.request_id
    WHERE answer_claim.extractor_version = $version
    GROUP BY answer_claim.request_id
)
SELECT
    batch.request_id,
    batch.config,
    batch.snapshot_id,
    batch.refused,
    coalesce(request.query, gold_case.query) AS question,
    request.answer,
    request.prompt_ids,
    request.prompt_text,
    request.cited_ids,
    CAST(gold_case.claims AS VARCHAR) AS expected,
    quoted.quotes,
    cut.claims
FROM batch
JOIN request ON request.request_id = batch.request_id
JOIN gold_case ON gold_case.case_id = batch.case_id
LEFT JOIN quoted ON quoted.case_id = batch.case_id
LEFT JOIN cut ON cut.request_id = batch.request_id;
