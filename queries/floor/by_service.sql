-- Requests by the service that wrote them.
-- Grain: one row a joined request (request_id), temporary.
CREATE OR REPLACE TEMP TABLE grouped AS
SELECT request.request_id, request.service AS group_value
FROM request
SEMI JOIN joined ON joined.request_id = request.request_id
