-- Keep the versions of incoming cases that were never loaded before.
-- Grain: one row of gold_version for each row of the relation incoming_case whose version is new.
-- Parameters: $loaded_at, the time of loading, UTC.
INSERT INTO gold_version BY NAME
SELECT
    incoming_case.case_id,
    incoming_case.gold_version,
    CAST(incoming_case.content AS JSON) AS content,
    incoming_case.file,
    incoming_case.line,
    CAST($loaded_at AS TIMESTAMP) AS loaded_at
FROM incoming_case
ANTI JOIN gold_version
    ON gold_version.case_id = incoming_case.case_id AND gold_version.gold_version = incoming_case.gold_version;
