-- The required evidence, in ids of a snapshot, of the cases that name some of it by quote.
-- Grain: one row an alternative of a required group in a snapshot (snapshot_id, case_id, group_no, member_no).
-- A quote that no chunk holds alone requires several chunks: these are groups of their own, numbered after those of gold.
CREATE TABLE resolved_evidence (
    snapshot_id VARCHAR NOT NULL,        -- the snapshot
    case_id VARCHAR NOT NULL,            -- the case
    group_no UINTEGER NOT NULL,          -- number of the required group; that of gold for the first part of a quote
    member_no UINTEGER NOT NULL,         -- number of the alternative within the group, from 1
    chunk_id VARCHAR,                    -- chunk that satisfies the group; NULL: nothing in the snapshot does
    quote VARCHAR,                       -- the quote that it was found by; NULL: gold names the id
    gold_group_no UINTEGER NOT NULL,     -- number of the group in gold
    split BOOLEAN NOT NULL,              -- the group is a part of evidence that chunking split
    evidence_known BOOLEAN NOT NULL      -- FALSE: a quote of the group could not be looked for, so that members may be missing
);
