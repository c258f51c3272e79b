-- Judgements of what a request answered.
-- Grain: one row a judgement; the newest by each source counts.
CREATE TABLE verdict (
    request_id UUID NOT NULL,            -- the request
    subject VARCHAR NOT NULL,            -- what was judged: answer (is it right?), refusal (is it one?), clarification (is it one?), grounded (do the shown chunks say it?)
    value BOOLEAN,                       -- the judgement; NULL when the judge could not tell
    reason VARCHAR,                      -- why, in a few words
    source VARCHAR NOT NULL,             -- rule, human or model
    config VARCHAR NOT NULL,             -- digest of the judge's configuration and of what it judged
    judged_at TIMESTAMP NOT NULL         -- when, UTC
);
