-- Gold: what a person says about a question.
-- Grain: one row a case. Loading a case again replaces it.
CREATE TABLE gold_case (
    case_id VARCHAR NOT NULL,            -- identity of the case
    query VARCHAR NOT NULL,              -- the question
    query_key VARCHAR NOT NULL,          -- normalise_text(query): joins production traffic
    expect VARCHAR NOT NULL,             -- answer, refuse or clarify
    answer_check JSON,                   -- {"must_contain", "must_not_contain", "matches", "equals", "number"}; NULL: no check
    claims JSON,                         -- array of {"id", "text", "evidence"}
    relevance JSON,                      -- object: chunk id to graded relevance
    as_of TIMESTAMP,                     -- the time for which the question is asked, UTC
    tags VARCHAR[] NOT NULL,             -- free labels of the case
    acceptable_sources VARCHAR[],        -- documents that may support an answer; NULL: any
    labelled_by VARCHAR,                 -- who labelled
    labelled_at TIMESTAMP,               -- when, UTC
    source VARCHAR,                      -- where the labels come from: a campaign, a ticket, another data set
    file VARCHAR,                        -- file that it was loaded from
    line UBIGINT,                        -- line of the file, from 1
    gold_version VARCHAR NOT NULL,       -- digest of the case as loaded; its content is in gold_version
    loaded_at TIMESTAMP NOT NULL         -- when it was loaded, UTC
);
