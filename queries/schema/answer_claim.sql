-- The claims that an answer makes, as an extractor cut them: what claim verdicts are about.
-- Grain: one row a claim (request_id, extractor_version, claim_id). Cut anew when the answer changes.
CREATE TABLE answer_claim (
    request_id UUID NOT NULL,            -- the request
    claim_id VARCHAR NOT NULL,           -- identity of the claim within the answer
    claim_no UINTEGER NOT NULL,          -- its place in the answer, from 1
    text VARCHAR NOT NULL,               -- the claim as the answer words it
    first UINTEGER NOT NULL,             -- where it begins in the answer: character, from 0
    last UINTEGER NOT NULL,              -- where it ends: the character behind it
    cited_ids VARCHAR[] NOT NULL,        -- chunks that it cites
    needs_support BOOLEAN NOT NULL,      -- whether it states something: no lead-in, no question, no heading
    extractor_version VARCHAR NOT NULL,  -- version of the extractor
    answer_digest VARCHAR NOT NULL,      -- md5 of the answer that was cut
    extracted_at TIMESTAMP NOT NULL,     -- when, UTC
    astray VARCHAR[]                     -- citations of it, as written, that certainly lead to no chunk of the prompt: [9] of five; NULL where they were not looked for
);
