-- Probes: runs of the generator alone, on the recorded prompt of a request with one thing changed.
-- Grain: one row a run (trace_id). The newest run of a probe_id counts. Built from the spans of the run; they are no request.
CREATE TABLE probe (
    trace_id UUID NOT NULL,              -- the trace of the run
    probe_id VARCHAR NOT NULL,           -- digest of what was asked of which generator, and of the repeat: the same run has the same
    probe_run_id VARCHAR,                -- the call of ragfault probe that ran it
    case_id VARCHAR,                     -- the gold case
    request_id UUID,                     -- the request whose prompt was changed
    intervention VARCHAR NOT NULL,       -- what was changed: original, gold_only, gold_first, drop_required, distractors, …
    step VARCHAR NOT NULL,               -- which of several changes of this kind: the chunk that was dropped, +4; empty where there is one
    repeat_no UINTEGER NOT NULL,         -- number of the repetition, from 1
    question VARCHAR,                    -- the question that was asked
    chunks STRUCT(id VARCHAR, text VARCHAR)[], -- exactly what the generator got, in order
    changed VARCHAR,                     -- what was changed, in words
    planted VARCHAR,                     -- the value that was planted, where one was
    replaced VARCHAR,                    -- the value that it took the place of, or contradicts
    generator VARCHAR,                   -- the generator, as it was named
    generator_id VARCHAR,                -- its identity: the name and a digest of its code, where that is known
    seed BIGINT,                         -- the seed that planted values follow from
    answer VARCHAR,                      -- the answer; NULL where there is none
    cited_ids VARCHAR[],                 -- chunks that it cites
    decision VARCHAR,                    -- answer, refuse or clarify, where the generator says so itself
    failure VARCHAR,                     -- why there is no answer: raised, timeout, died, exited, nothing, wrong_type, too_large, …
    error VARCHAR,                       -- one line about it
    seconds DOUBLE,                      -- how long it took
    started_at TIMESTAMP,                -- when it was run, UTC
    correct BOOLEAN,                     -- the answer agrees with gold, or asks back where gold expects that; NULL: not known
    refused BOOLEAN,                     -- the answer is a refusal; NULL: not known
    grounded BOOLEAN,                    -- the chunks that it got say what it says; NULL: not known
    carries_planted BOOLEAN,             -- the answer gives the planted value; NULL where none was planted
    carries_replaced BOOLEAN,            -- the answer gives the value in whose place it was planted; NULL where it stands elsewhere in what a shifted value was planted in
    judged_with VARCHAR                  -- digest of gold and of the judge's configuration; NULL until it was judged
);
