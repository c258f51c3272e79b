-- Store the claims of answers.
-- Grain: one row of answer_claim a row of the relation cut_claim.
-- Parameters: $version, of the extractor; $now, the time of extraction, UTC.
INSERT INTO answer_claim BY NAME
SELECT
    * REPLACE (CAST(request_id AS UUID) AS request_id),
    CAST($version AS VARCHAR) AS extractor_version,
    CAST($now AS TIMESTAMP) AS extracted_at
FROM cut_claim;
