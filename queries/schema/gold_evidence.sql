-- Required evidence: every group is required, any member of a group satisfies it.
-- Grain: one row a member (case_id, group_no, member_no).
CREATE TABLE gold_evidence (
    case_id VARCHAR NOT NULL,            -- the case
    group_no UINTEGER NOT NULL,          -- number of the required group, from 1
    member_no UINTEGER NOT NULL,         -- number of the alternative within the group, from 1
    chunk_id VARCHAR NOT NULL            -- chunk that satisfies the group
);
