-- What became of the quotes of gold in each loaded snapshot.
-- Grain: one row a quote of a case in a snapshot (snapshot_id, case_id, claim_id, group_no, member_no).
CREATE TABLE resolved_quote (
    snapshot_id VARCHAR NOT NULL,        -- the snapshot
    case_id VARCHAR NOT NULL,            -- the case
    claim_id VARCHAR,                    -- the claim whose evidence it is; NULL: evidence of the case itself
    group_no UINTEGER NOT NULL,          -- number of the group in gold, from 1
    member_no UINTEGER NOT NULL,         -- number of the member in gold, from 1
    state VARCHAR NOT NULL,              -- exact, fuzzy; unresolved: in no text; ambiguous: in several documents; no_text: texts are missing
    score DOUBLE,                        -- how alike the texts are, up to 1; NULL: not found
    split BOOLEAN NOT NULL,              -- no chunk holds it alone: chunking split the evidence
    chunk_ids VARCHAR[] NOT NULL,        -- chunks in which it, or a part of it, was found
    threshold DOUBLE NOT NULL,           -- how alike texts had to be
    gold_version VARCHAR NOT NULL,       -- version of the case
    resolved_at TIMESTAMP NOT NULL       -- when, UTC
);
