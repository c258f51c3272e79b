-- Claims of answers and of gold over a run: how many are right, shown, found, and followed by a citation that says them.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   requests: labelled requests; claims, supported, …, wrong: sums of the counts of the view claim_measures, judged or not.
--   claim_precision, claim_recall, faithfulness, citation_completeness, citation_correctness: their numerators over their
--     denominators, summed over the requests whose denominator was judged as a whole; NULL without any.
--   …_requests: how many requests these are.
--   correctness: correct / claims whose agreement with gold was judged, over all requests.
SELECT
    request_run_id,
    count(*) AS requests,
    CAST(sum(claims) AS BIGINT) AS claims,
    CAST(sum(supported) AS BIGINT) AS supported,
    CAST(sum(unsupported) AS BIGINT) AS unsupported,
    CAST(sum(correct) AS BIGINT) AS correct,
    CAST(sum(incorrect) AS BIGINT) AS incorrect,
    CAST(sum(supported_correct) AS BIGINT) AS supported_correct,
    CAST(sum(expected) AS BIGINT) AS expected,
    CAST(sum(found) AS BIGINT) AS found,
    CAST(sum(not_found) AS BIGINT) AS not_found,
    CAST(sum(adequately_cited) AS BIGINT) AS adequately_cited,
    CAST(sum(inadequately_cited) AS BIGINT) AS inadequately_cited,
    CAST(sum(citations) AS BIGINT) AS citations,
    CAST(sum(held) AS BIGINT) AS held,
    CAST(sum(wrong) AS BIGINT) AS wrong,
    sum(correct) FILTER (claim_precision IS NOT NULL) / sum(claims) FILTER (claim_precision IS NOT NULL) AS claim_precision,
    count(claim_precision) AS claim_precision_requests,
    sum(found) FILTER (claim_recall IS NOT NULL) / sum(expected) FILTER (claim_recall IS NOT NULL) AS claim_recall,
    count(claim_recall) AS claim_recall_requests,
    sum(supported) FILTER (faithfulness IS NOT NULL) / sum(claims) FILTER (faithfulness IS NOT NULL) AS faithfulness,
    count(faithfulness) AS faithfulness_requests,
    sum(correct) / nullif(sum(correct + incorrect), 0) AS correctness,
    sum(adequately_cited) FILTER (citation_completeness IS NOT NULL)
        / sum(claims) FILTER (citation_completeness IS NOT NULL) AS citation_completeness,
    count(citation_completeness) AS citation_completeness_requests,
    sum(held) FILTER (citation_correctness IS NOT NULL)
        / sum(citations) FILTER (citation_correctness IS NOT NULL) AS citation_correctness,
    count(citation_correctness) AS citation_correctness_requests
FROM claim_measures
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
