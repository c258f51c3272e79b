-- What this file is: the version of its schema and of the rules it carries.
-- Grain: one row a fact about the file.
CREATE TABLE ragfault_meta (
    key VARCHAR NOT NULL,                -- schema_version, created_by or derived_digest
    value VARCHAR NOT NULL               -- its value
);
