-- Remember events that a destination has accepted.
-- Grain: one row of emitted an event of the relation accepted_event that is not remembered yet (event_id).
-- Parameters: $destination, $sent_at.
INSERT INTO emitted BY NAME
SELECT
    $destination AS destination,
    accepted_event.event_id,
    CAST(accepted_event.request_id AS UUID) AS request_id,
    accepted_event.subject,
    CAST($sent_at AS TIMESTAMP) AS sent_at
FROM accepted_event
ANTI JOIN emitted ON emitted.event_id = accepted_event.event_id AND emitted.destination = $destination;
