-- Remove the claims of answers that are cut anew.
-- Grain: one row of answer_claim a claim of a request in the relation cut_request.
-- Parameters: $version, of the extractor.
DELETE FROM answer_claim
WHERE extractor_version = $version AND request_id IN (SELECT CAST(request_id AS UUID) FROM cut_request);
