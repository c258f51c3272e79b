-- Judgements of what a request answered: by our rules, by people, by models, by somebody else's code.
-- Grain: one row a judgement. Nothing is overwritten; of each judge and repeat the newest counts.
CREATE TABLE verdict (
    request_id UUID NOT NULL,            -- the request
    subject VARCHAR NOT NULL,            -- what was judged: answer (is it right?), refusal (is it one?), clarification (is it one?), grounded (do the shown chunks say it?), claim_support (do they say this claim of the answer?), claim_correct (does it agree with gold?), claim_found (does the answer make this claim of gold?), citation (does the cited chunk support the claim that cites it?)
    target VARCHAR,                      -- id of the claim, or of the cited chunk; NULL where the whole answer was judged
    claim_id VARCHAR,                    -- for a citation, the claim that cites; NULL otherwise
    claim VARCHAR,                       -- text of the claim as it was judged; NULL where none was
    value BOOLEAN,                       -- the judgement; NULL when the judge could not tell, or takes an earlier one back
    score DOUBLE,                        -- a degree, where the judge gives one
    reason VARCHAR,                      -- why, in a few words
    failure VARCHAR,                     -- what went wrong, so that there is no judgement: timeout, rate_limit, malformed, declined, …; NULL otherwise
    source VARCHAR NOT NULL,             -- rule (our own checks), human, model, or code (somebody else's check)
    judge VARCHAR,                       -- name of the person, the model or the check; NULL for our own rules
    config VARCHAR NOT NULL,             -- digest of the judge's configuration and of what it judged
    prompt_version VARCHAR,              -- version of the judge's prompt; NULL without one
    extractor_version VARCHAR,           -- version of what cut the answer into claims; NULL where no claim was judged
    repeat_no UINTEGER NOT NULL DEFAULT 1, -- number of the repetition by the same judge, from 1
    judged_at TIMESTAMP NOT NULL,        -- when, UTC
    origin VARCHAR                       -- where it came from: file:line, or the span or log record that told it; NULL where it was made here
);
