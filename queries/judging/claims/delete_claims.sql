-- Remove the claims of answers that are cut anew, and of requests that are no more (late spans gave them another id).
-- Grain: one row of answer_claim a claim of a request in the relation cut_request, or of none.
-- Parameters: $version, of the extractor.
DELETE FROM answer_claim
WHERE (extractor_version = $version AND request_id IN (SELECT CAST(request_id AS UUID) FROM cut_request))
    OR request_id NOT IN (SELECT request_id FROM request);
