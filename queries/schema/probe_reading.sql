-- What the probes of a request mean. Written anew whenever probes are run or judged.
-- Grain: one row a request, generator and reading (request_id, generator_id, reading).
CREATE TABLE probe_reading (
    request_id UUID NOT NULL,            -- the request
    case_id VARCHAR NOT NULL,            -- its case
    generator_id VARCHAR NOT NULL,       -- the generator that was probed
    reading VARCHAR NOT NULL,            -- order_sensitive, distractor_sensitive, model_or_prompt, unstable, parametric, …
    refines VARCHAR,                     -- the label that it makes finer; NULL where it stands beside the label
    meaning VARCHAR NOT NULL,            -- what it means, in a sentence
    evidence VARCHAR NOT NULL,           -- the probes that it rests on, and how they ended
    next_experiment VARCHAR NOT NULL,    -- what to try next: one change
    place UINTEGER NOT NULL,             -- order in which the readings of a request are told
    probed_at TIMESTAMP NOT NULL,        -- start of the newest run that it rests on, UTC; of held answers when they were judged
    read_at TIMESTAMP NOT NULL           -- when it was read, UTC
);
