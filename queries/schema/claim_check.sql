-- Which requests our own rules for claims have looked at, so that equal inputs are not looked at again.
-- Grain: one row a request (request_id).
CREATE TABLE claim_check (
    request_id UUID NOT NULL,            -- the request
    config VARCHAR NOT NULL,             -- digest of the rules, and of what they read: answer, question, prompt, gold, corpus
    checked_at TIMESTAMP NOT NULL        -- when, UTC
);
