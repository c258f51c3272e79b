-- Evidence that gold requires, as a person named it.
-- Grain: one row of gold_evidence a member of a required group.
-- Parameters: $case_id, the case.
SELECT * FROM gold_evidence
WHERE case_id = $case_id
ORDER BY group_no, member_no
