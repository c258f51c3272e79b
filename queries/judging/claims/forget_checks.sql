-- Forget that the requests of a batch were looked at, before they are entered anew.
-- Grain: one row of claim_check a request.
-- Parameters: $first, $last, the batch of the relation unchecked_request.
DELETE FROM claim_check
WHERE request_id IN (SELECT request_id FROM unchecked_request WHERE number BETWEEN $first AND $last);
