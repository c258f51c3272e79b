-- Add the requests of the setting that was packed last to those that wait for their labels.
-- Grain: one row of tried a request (request_id).
INSERT INTO tried
SELECT *
FROM packed
