-- Which hypothetical request is held against which gold case, in the place of the recorded ones.
-- Grain: one row a request and setting (request_id is the hypothetical one), temporary.
CREATE OR REPLACE TEMP TABLE joined AS
SELECT tried.hypothetical_id AS request_id, chosen.case_id
FROM tried
JOIN chosen ON chosen.request_id = tried.request_id
