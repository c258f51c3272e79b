-- Enter the requests of a batch as looked at.
-- Grain: one row of claim_check a request.
-- Parameters: $first, $last, the batch of the relation unchecked_request; $judged_at, the time, UTC.
INSERT INTO claim_check BY NAME
SELECT request_id, config, CAST($judged_at AS TIMESTAMP) AS checked_at
FROM unchecked_request
WHERE number BETWEEN $first AND $last;
