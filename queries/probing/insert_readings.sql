-- Store what the probes of requests mean.
-- Grain: one row of the relation incoming_reading a reading.
INSERT INTO probe_reading BY NAME
SELECT * REPLACE (CAST(request_id AS UUID) AS request_id)
FROM incoming_reading
