-- All requests in one group.
-- Grain: one row a joined request (request_id), temporary.
CREATE OR REPLACE TEMP TABLE grouped AS
SELECT joined.request_id, CAST(NULL AS VARCHAR) AS group_value
FROM joined
