-- The hypothetical requests that wait for their labels: those of several settings, in the shape of packed.
-- Grain: one row a request and setting (hypothetical_id), temporary.
CREATE OR REPLACE TEMP TABLE tried AS
SELECT *
FROM packed
LIMIT 0
