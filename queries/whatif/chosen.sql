-- The requests that are replayed, kept for when hypothetical ones take their place in `joined`.
-- Grain: one row a request (request_id), temporary.
CREATE OR REPLACE TEMP TABLE chosen AS
SELECT request_id, case_id
FROM joined
