-- The claims of the answers of labelled requests, with what is believed of each.
-- Grain: one row a claim that needs support (request_id, claim_id).
-- They are the claims that an extractor cut last from the present answer, leaving out what states nothing; where somebody
-- judged claims of a decomposition of their own (other ids than ours), those take their place.
-- `supported` and `correct` are NULL where nobody judged. `citations` are the chunks that it cites: those of its own marks,
-- or those that the answer as a whole cites where it marks no claim; NULL where citations were not recorded. Of them,
-- `held` say the claim and `wrong` do not, as far as they were judged. `astray` are citations, as written, that lead to no
-- chunk that was shown.
CREATE OR REPLACE VIEW response_claim AS
WITH last_cut AS (
    SELECT request_id, max(extracted_at) AS extracted_at FROM answer_claim GROUP BY request_id
),
own AS (
    SELECT
        answer_claim.* REPLACE (coalesce(answer_claim.astray, []) AS astray),
        max(len(answer_claim.cited_ids) + coalesce(len(answer_claim.astray), 0))
            OVER (PARTITION BY answer_claim.request_id) > 0 AS marks
    FROM answer_claim
    JOIN last_cut USING (request_id, extracted_at)
    JOIN request USING (request_id)
    WHERE answer_claim.answer_digest = md5(request.answer)
),
brought AS (
    SELECT
        request_id,
        target AS claim_id,
        arg_max(claim, judged_at) AS text
    FROM verdict
    WHERE subject IN ('claim_support', 'claim_correct')
        AND target IS NOT NULL
        AND extractor_version IS NULL
        AND NOT regexp_full_match(target, 's[0-9]+')
    GROUP BY request_id, target
),
cited_by AS (
    SELECT request_id, claim_id, list(DISTINCT target ORDER BY target) AS ids
    FROM trusted_verdict
    WHERE subject = 'citation' AND claim_id IS NOT NULL
    GROUP BY request_id, claim_id
),
claim AS (
    SELECT
        own.request_id,
        own.claim_id,
        own.claim_no,
        own.text,
        CASE WHEN own.marks THEN list_distinct(own.cited_ids) ELSE list_distinct(request.cited_ids) END AS citations,
        own.astray,
        own.marks
    FROM own
    JOIN request USING (request_id)
    ANTI JOIN brought USING (request_id)
    WHERE own.needs_support
    UNION ALL
    SELECT
        brought.request_id,
        brought.claim_id,
        row_number() OVER (PARTITION BY brought.request_id ORDER BY brought.claim_id),
        brought.text,
        coalesce(cited_by.ids, CASE WHEN request.cited_ids IS NOT NULL THEN [] END),
        [],
        TRUE
    FROM brought
    JOIN request USING (request_id)
    LEFT JOIN cited_by USING (request_id, claim_id)
),
said AS (
    SELECT
        claim.request_id,
        claim.claim_id,
        bool_or(trusted.value) FILTER (trusted.subject = 'claim_support' AND trusted.target = claim.claim_id) AS supported,
        bool_or(trusted.value) FILTER (trusted.subject = 'claim_correct' AND trusted.target = claim.claim_id) AS correct,
        list(DISTINCT trusted.target ORDER BY trusted.target) FILTER (trusted.subject = 'citation' AND trusted.value) AS held,
        list(DISTINCT trusted.target ORDER BY trusted.target) FILTER (trusted.subject = 'citation' AND NOT trusted.value) AS wrong
    FROM claim
    JOIN trusted_verdict AS trusted
        ON trusted.request_id = claim.request_id
        AND claim.claim_id = CASE WHEN trusted.subject = 'citation' THEN trusted.claim_id ELSE trusted.target END
    WHERE trusted.subject IN ('claim_support', 'claim_correct', 'citation')
        AND (trusted.claim IS NULL OR claim.text IS NULL OR trusted.claim = claim.text)
        AND (trusted.subject <> 'citation' OR list_contains(claim.citations, trusted.target))
    GROUP BY claim.request_id, claim.claim_id
)
SELECT
    claim.request_id,
    claim.claim_id,
    claim.claim_no,
    claim.text,
    said.supported,
    said.correct,
    claim.citations,
    coalesce(said.held, []) AS held,
    coalesce(said.wrong, []) AS wrong,
    claim.marks,
    claim.astray
FROM claim
SEMI JOIN current_label USING (request_id)
LEFT JOIN said USING (request_id, claim_id);
