-- Replies of model judges, so that no question is paid twice.
-- Grain: one row a question to a model (question_key): the same content, configuration and repeat share it.
CREATE TABLE judge_reply (
    question_key VARCHAR NOT NULL,       -- digest of model, endpoint, parameters, prompt, schema and repeat number
    model VARCHAR NOT NULL,              -- the model that was asked
    reply VARCHAR,                       -- its reply as received; NULL where it declined without a word
    failure VARCHAR,                     -- why the reply is no judgement: malformed, declined, cut; NULL for a good one
    input_tokens BIGINT,                 -- tokens of the question, as the endpoint counted them
    output_tokens BIGINT,                -- tokens of the reply
    attempts UINTEGER NOT NULL,          -- requests that it took
    replied_at TIMESTAMP NOT NULL        -- when, UTC
);
