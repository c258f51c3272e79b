-- The trace record: one question answered by the pipeline, assembled from the spans of one trace, or of several
-- that complete each other.
-- Grain: one row a request. Rebuilt when late spans of its trace arrive. NULL means "not recorded", never "empty".
CREATE TABLE request (
    request_id UUID NOT NULL,            -- the trace id while its trace holds one request; else derived from trace id and request span
    trace_id UUID NOT NULL,              -- the trace; the first, when several are joined
    trace_ids UUID[],                    -- every trace of the request, when several are joined; NULL when it has one
    anchor_span_id UBIGINT,              -- the request span; NULL when the whole trace is taken as one request
    case_id VARCHAR,                     -- gold case that test traffic names
    run_id VARCHAR,                      -- run of the pipeline that the traffic names
    session_id VARCHAR,                  -- session or conversation that the traffic names
    service VARCHAR,                     -- service.name of the request
    started_at TIMESTAMP,                -- start of its earliest span, UTC
    ended_at TIMESTAMP,                  -- end of its latest span, UTC
    query VARCHAR,                       -- the user's question; else the text that was searched for
    retrieval_query VARCHAR,             -- the text that was searched for, where it was recorded; several searches one a line; differs from query when it was rewritten
    ranked_ids VARCHAR[],                -- final ranking, best first: after reranking where there is a rerank stage; an element is NULL for a hit without an id
    ranked_scores DOUBLE[],              -- scores parallel to ranked_ids; an element is NULL where no score was recorded
    ranking_complete BOOLEAN,            -- whether the first-stage ranking holds all that the retriever scored
    score_kind VARCHAR,                  -- bm25, similarity or distance: what ranked_scores are
    candidate_ids VARCHAR[],             -- first-stage ranking before reranking; NULL without a rerank stage
    candidate_scores DOUBLE[],           -- scores parallel to candidate_ids
    candidate_score_kind VARCHAR,        -- what candidate_scores are
    has_rerank BOOLEAN NOT NULL,         -- whether a rerank stage was recorded
    k BIGINT,                            -- how many of the final ranking are passed on
    prompt_ids VARCHAR[],                -- chunks that reached the prompt, in prompt order
    prompt_shares DOUBLE[],              -- parallel to prompt_ids where they were recovered from texts: how much of each chunk is in the prompt, from 0 to 1; NULL where they were recorded
    assembly_source VARCHAR NOT NULL,    -- how prompt_ids is known: explicit, text_match, id_lookup or unknown
    dropped STRUCT(id VARCHAR, reason VARCHAR)[], -- chunks left out by assembly, with the recorded reason
    budget BIGINT,                       -- context budget
    budget_unit VARCHAR,                 -- words, characters or tokens
    prompt_text VARCHAR,                 -- text of the messages as sent to the model
    answer VARCHAR,                      -- text of the answer
    answered BOOLEAN,                    -- whether the pipeline gave an answer, recorded or not; FALSE for a torn one and for a text in the place of one
    cited_ids VARCHAR[],                 -- chunks that the answer cites
    unmapped_citations VARCHAR[],        -- citations in the answer that lead to no chunk of the prompt, as written
    decision VARCHAR,                    -- answer, refuse or clarify, where the system says so itself
    finish_reasons VARCHAR[],            -- why the model stopped
    request_model VARCHAR,               -- model asked for
    response_model VARCHAR,              -- model that answered
    response_id VARCHAR,                 -- identifier of the completion
    prompt_name VARCHAR,                 -- prompt template
    prompt_version VARCHAR,              -- version of the prompt template
    input_tokens BIGINT,                 -- tokens of the prompt
    output_tokens BIGINT,                -- tokens of the answer
    snapshot_id VARCHAR,                 -- corpus snapshot that the traffic names
    convention VARCHAR NOT NULL,         -- who wrote the spans: ragfault or otel_genai
    error_stage VARCHAR,                 -- stage whose last attempt ended in error; NULL without error
    error_message VARCHAR,               -- its message
    missing VARCHAR[] NOT NULL,          -- fields that were not recorded: query, ranking, scores, k, prompt_ids, answer, dropped_attributes, …
    spans UINTEGER NOT NULL,             -- spans of the request
    built_at TIMESTAMP NOT NULL,         -- when the record was assembled, UTC
    user_groups VARCHAR[],               -- groups of the user who asked, for whom the index was searched; [] for none
    id_source VARCHAR,                   -- how the ids of the rankings are known: recorded; text_match and text_match_partly where ids that are none of the snapshot were told by the texts of the hits, of all or of most; foreign where none is in the snapshot; NULL without a ranking
    id_snapshot VARCHAR,                 -- the snapshot against which id_source was told; NULL where none was loaded
    hit_texts BOOLEAN                    -- whether spans show texts of ranked hits
);
