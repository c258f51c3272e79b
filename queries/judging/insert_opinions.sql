-- Store verdicts that came from elsewhere or from a model; none of them is there yet.
-- Grain: one row of verdict a row of the relation incoming_verdict.
INSERT INTO verdict BY NAME
SELECT
    * REPLACE (CAST(request_id AS UUID) AS request_id)
FROM incoming_verdict;
