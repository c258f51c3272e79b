-- Labels: the first rule of the fault tree that explains a request.
-- Grain: one row a request of a labelling (run_id, request_id).
CREATE TABLE label (
    run_id VARCHAR NOT NULL,             -- the labelling
    request_id UUID NOT NULL,            -- the request
    case_id VARCHAR NOT NULL,            -- the gold case it was held against
    label VARCHAR NOT NULL,              -- key of the rule, or unknown.<missing field>
    boundary VARCHAR,                    -- where the evidence was lost: source set, retrieval, assembly, generation, citation, decision; NULL for pass and errors
    outcome VARCHAR NOT NULL,            -- what the user got: correct, wrong, refused or unjudged
    latent BOOLEAN NOT NULL,             -- a right answer in spite of the label: it is not a pass and the outcome is correct
    retrieved BOOLEAN,                   -- every required group has a member within k; NULL: not known, or nothing is required
    grounded BOOLEAN,                    -- the shown chunks say what the answer says; NULL: not known
    correct BOOLEAN,                     -- the answer agrees with gold; NULL: not known
    cited BOOLEAN,                       -- every required group has a cited member; NULL: not known, or nothing is required
    k BIGINT,                            -- the k that was used
    gold_version VARCHAR NOT NULL,       -- the version of gold that was used
    detail JSON NOT NULL                 -- {"stopped_at": rule, "missing": field, "k", "depth": length of the first-stage ranking, "failing": [{"group", "rank", "candidate_rank", "score", "in_prompt", "share": how much of it is in the prompt, where known, "reason"}] of the groups that gave the label, "also_lost": the same of groups lost later, "superseded": chunks of the prompt that were not valid at the time and say what the answer says, "cited_unshown": chunks that the answer cites and that were not in the prompt; cited counts them all the same, "claims": ids of the claims that gave a label of grounding or citation}
);
