-- Every version of gold that was ever loaded; label.gold_version names one.
-- Grain: one row a version of a case (case_id, gold_version); loading the same again adds none.
CREATE TABLE gold_version (
    case_id VARCHAR NOT NULL,            -- the case
    gold_version VARCHAR NOT NULL,       -- digest of everything that the case says
    content JSON NOT NULL,               -- the case as a line of a gold file
    file VARCHAR NOT NULL,               -- file that it was first loaded from
    line UBIGINT NOT NULL,               -- line of the file, from 1
    loaded_at TIMESTAMP NOT NULL         -- when it was first loaded, UTC
);
