-- Claims of each labelled request, counted, and the measures that are made of the counts.
-- Grain: one row a labelled request (request_id).
-- Counts: claims, of the answer that need support; supported and unsupported, correct and incorrect, as far as they were
-- judged; supported_correct, both; expected, claims of gold; found and not_found, as far as they were judged;
-- adequately_cited, claims of which a cited chunk is known to say them, and inadequately_cited, of which none does or that
-- cite nothing; citations, pairs of a claim and a cited chunk (cited chunks where the answer marks no claim); held and wrong,
-- citations whose chunk says the claim or does not, as far as they were judged; one that leads to no shown chunk is wrong.
-- Measures, NULL without a denominator, and where a part of it was not judged (the counts tell how much):
--   claim_precision: correct / claims (response precision of RAGChecker).
--   claim_recall: found / expected (response recall of RAGChecker).
--   faithfulness: supported / claims: said by the chunks that were shown, right or wrong.
--   correctness: correct / claims whose agreement with gold was judged, all of them or not.
--   citation_completeness: adequately cited claims / claims. Whether citations are right is another question:
--   citation_correctness: held citations / citations.
CREATE OR REPLACE VIEW claim_measures AS
WITH answered AS (
    SELECT
        request_id,
        count(*) AS claims,
        count(*) FILTER (supported) AS supported,
        count(*) FILTER (NOT supported) AS unsupported,
        count(*) FILTER (correct) AS correct,
        count(*) FILTER (NOT correct) AS incorrect,
        count(*) FILTER (supported AND correct) AS supported_correct,
        count(*) FILTER (len(held) > 0) AS adequately_cited,
        count(*) FILTER (len(held) = 0 AND len(wrong) = len(citations)) AS inadequately_cited,
        sum(len(citations) + len(astray)) FILTER (marks) AS marked_citations,
        sum(len(held)) FILTER (marks) AS marked_held,
        sum(len(wrong) + len(astray)) FILTER (marks) AS marked_wrong
    FROM response_claim
    GROUP BY request_id
),
-- Where the answer cites as a whole, a cited chunk is right when it says any of the claims.
spread AS (
    SELECT
        request_id,
        claim_id,
        unnest(citations) AS chunk_id,
        held,
        wrong
    FROM response_claim
    WHERE NOT marks
),
chunk AS (
    SELECT
        request_id,
        chunk_id,
        bool_or(list_contains(held, chunk_id)) AS held,
        bool_and(list_contains(wrong, chunk_id)) AS wrong
    FROM spread
    GROUP BY request_id, chunk_id
),
whole AS (
    SELECT
        request_id,
        count(*) AS citations,
        count(*) FILTER (held) AS held,
        count(*) FILTER (wrong) AS wrong
    FROM chunk
    GROUP BY request_id
),
wanted AS (
    SELECT current_label.request_id, unnest(CAST(gold_case.claims AS JSON[])) ->> '$.id' AS claim_id
    FROM current_label
    JOIN gold_case USING (case_id)
),
recovered AS (
    SELECT
        wanted.request_id,
        count(DISTINCT wanted.claim_id) AS expected,
        count(DISTINCT wanted.claim_id) FILTER (trusted.value) AS found,
        count(DISTINCT wanted.claim_id) FILTER (NOT trusted.value) AS not_found
    FROM wanted
    LEFT JOIN trusted_verdict AS trusted
        ON trusted.request_id = wanted.request_id
        AND trusted.subject = 'claim_found'
        AND trusted.target = wanted.claim_id
    GROUP BY wanted.request_id
),
counted AS (
    SELECT
        current_label.request_id,
        current_label.case_id,
        current_label.request_run_id,
        coalesce(answered.claims, 0) AS claims,
        coalesce(answered.supported, 0) AS supported,
        coalesce(answered.unsupported, 0) AS unsupported,
        coalesce(answered.correct, 0) AS correct,
        coalesce(answered.incorrect, 0) AS incorrect,
        coalesce(answered.supported_correct, 0) AS supported_correct,
        coalesce(recovered.expected, 0) AS expected,
        coalesce(recovered.found, 0) AS found,
        coalesce(recovered.not_found, 0) AS not_found,
        coalesce(answered.adequately_cited, 0) AS adequately_cited,
        coalesce(answered.inadequately_cited, 0) AS inadequately_cited,
        CAST(coalesce(answered.marked_citations, whole.citations, 0) AS BIGINT) AS citations,
        CAST(coalesce(answered.marked_held, whole.held, 0) AS BIGINT) AS held,
        CAST(coalesce(answered.marked_wrong, whole.wrong, 0) AS BIGINT) AS wrong
    FROM current_label
    LEFT JOIN answered USING (request_id)
    LEFT JOIN whole USING (request_id)
    LEFT JOIN recovered USING (request_id)
)
SELECT
    *,
    CASE WHEN correct + incorrect = claims THEN correct / nullif(claims, 0) END AS claim_precision,
    CASE WHEN found + not_found = expected THEN found / nullif(expected, 0) END AS claim_recall,
    CASE WHEN supported + unsupported = claims THEN supported / nullif(claims, 0) END AS faithfulness,
    correct / nullif(correct + incorrect, 0) AS correctness,
    CASE WHEN adequately_cited + inadequately_cited = claims THEN adequately_cited / nullif(claims, 0) END
        AS citation_completeness,
    CASE WHEN held + wrong = citations THEN held / nullif(citations, 0) END AS citation_correctness
FROM counted;
