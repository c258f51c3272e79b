-- What incoming cases are to those that are stored. A version is a digest of everything that a case says.
-- Grain: one row.
-- Columns: added, cases that are not stored; changed, those whose stored version is another; unchanged, the others.
SELECT
    count(*) FILTER (gold_case.case_id IS NULL) AS added,
    count(*) FILTER (gold_case.gold_version <> incoming_case.gold_version) AS changed,
    count(*) FILTER (gold_case.gold_version = incoming_case.gold_version) AS unchanged
FROM incoming_case
LEFT JOIN gold_case ON gold_case.case_id = incoming_case.case_id;
