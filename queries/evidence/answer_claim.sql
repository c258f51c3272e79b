-- The claims of the answer, with their places in it and the version of what cut them.
-- Grain: one row of answer_claim a claim.
-- Parameters: $request_id, the request.
SELECT * FROM answer_claim
WHERE request_id = CAST($request_id AS UUID)
ORDER BY extractor_version, claim_no
