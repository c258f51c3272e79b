-- How many events a destination has accepted so far.
-- Grain: one row.
-- Parameters: $destination.
SELECT count(*) AS events FROM emitted WHERE emitted.destination = $destination;
