-- Which request is held against which gold case: by the case id that the traffic names, else by the text of the question.
-- Grain: one row a request that has gold (request_id).
-- A question that several cases ask joins none of them by its text.
CREATE OR REPLACE TEMP TABLE joined AS
WITH named AS (
    SELECT
        subject.request_id,
        gold_case.case_id,
        CASE WHEN gold_case.case_id IS NULL THEN normalise_text(subject.query) END AS query_key
    FROM subject
    LEFT JOIN gold_case ON gold_case.case_id = subject.case_id
),
asked_once AS (
    SELECT query_key, any_value(case_id) AS case_id
    FROM gold_case
    GROUP BY query_key
    HAVING count(*) = 1
)
SELECT named.request_id, coalesce(named.case_id, asked_once.case_id) AS case_id
FROM named
LEFT JOIN asked_once ON asked_once.query_key = named.query_key
WHERE named.case_id IS NOT NULL OR asked_once.case_id IS NOT NULL
