-- The label of a request in one labelling: what a record gives account of.
-- Grain: one row of label, or none.
-- Parameters: $request_id, the request; $run_id, the labelling.
SELECT * FROM label
WHERE request_id = CAST($request_id AS UUID) AND run_id = $run_id
