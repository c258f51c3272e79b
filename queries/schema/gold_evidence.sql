-- Required evidence as gold names it: every group is required, any member of a group satisfies it.
-- Grain: one row a member (case_id, group_no, member_no). Either `chunk_id` or `quote` is there.
CREATE TABLE gold_evidence (
    case_id VARCHAR NOT NULL,            -- the case
    group_no UINTEGER NOT NULL,          -- number of the required group, from 1
    member_no UINTEGER NOT NULL,         -- number of the alternative within the group, from 1
    chunk_id VARCHAR,                    -- chunk that satisfies the group; NULL: named by a quote
    doc_id VARCHAR,                      -- document that the quote is from; NULL: not said
    quote VARCHAR                        -- passage that satisfies the group, whatever chunk holds it
);
