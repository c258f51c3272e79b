-- The rules of the fault tree with their advice, for people who ask SQL. Rewritten from the code when the file is opened for writing.
-- Grain: one row a label that the tree can give, in the order of the walk.
CREATE TABLE rule (
    position UINTEGER NOT NULL,          -- order of the walk; unknown labels come last
    label VARCHAR NOT NULL,              -- key of the rule
    boundary VARCHAR,                    -- boundary where the evidence was lost
    meaning VARCHAR NOT NULL,            -- one line
    signature VARCHAR NOT NULL,          -- how it looks in the trace
    check_with VARCHAR NOT NULL,         -- the check that separates it from its neighbours
    try_first VARCHAR NOT NULL,          -- what to try first
    wasted VARCHAR NOT NULL,             -- what teams usually waste time on
    failure_point VARCHAR                -- failure point of Barnett et al. (arXiv 2401.05856), where there is one
);
