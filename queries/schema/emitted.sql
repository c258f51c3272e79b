-- Labels and verdicts that were sent out as evaluation events and accepted, so that none is sent twice.
-- Grain: one row an event and destination (destination, event_id).
CREATE TABLE emitted (
    destination VARCHAR NOT NULL,        -- where it was sent: the endpoint, or the name that was given to it
    event_id VARCHAR NOT NULL,           -- identity of the event, which it carries as ragfault.evaluation.id
    request_id UUID NOT NULL,            -- the request that it is about
    subject VARCHAR NOT NULL,            -- label, or what a verdict judged
    sent_at TIMESTAMP NOT NULL           -- when it was accepted, UTC
);
