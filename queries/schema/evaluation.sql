-- Evaluation results that senders attached to traces, as found: OpenTelemetry events and OpenInference attributes.
-- Grain: one row a result (evaluation_id). Each becomes a verdict when its name has a subject and its request is known.
CREATE TABLE evaluation (
    evaluation_id VARCHAR NOT NULL,      -- digest of what it says and of where it was found
    name VARCHAR NOT NULL,               -- name of the evaluation, as sent
    score DOUBLE,                        -- its score; NULL without one
    label VARCHAR,                       -- its label; NULL without one
    explanation VARCHAR,                 -- its explanation; NULL without one
    error_type VARCHAR,                  -- why the evaluator failed; NULL otherwise
    annotator_kind VARCHAR,              -- HUMAN, LLM or CODE, where it is said
    judge VARCHAR,                       -- who judged: an identifier, a model, else the instrumentation scope
    scope VARCHAR NOT NULL,              -- what it is about: span, trace or session
    trace_id UUID,                       -- trace that was evaluated; NULL where only a response id is known
    span_id UBIGINT,                     -- span that was evaluated; NULL where none is named
    response_id VARCHAR,                 -- completion that was evaluated; NULL where none is named
    evaluated_at TIMESTAMP NOT NULL,     -- when, UTC
    origin VARCHAR NOT NULL,             -- where it was found: log, event or attribute, and the span
    segment_id UUID NOT NULL,            -- the segment that brought it
    event_id VARCHAR,                    -- identity of a result that `ragfault emit` sent; NULL for those of other tools, as all that follows
    subject VARCHAR,                     -- what it is about, in the words of verdict.subject; or label
    source VARCHAR,                      -- who judged, in the words of verdict.source
    target VARCHAR,                      -- as in verdict
    claim_id VARCHAR,                    -- as in verdict
    claim VARCHAR,                       -- as in verdict; NULL where texts were left out
    repeat_no UINTEGER                   -- as in verdict
);
