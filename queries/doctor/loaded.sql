-- What the database holds beside requests.
-- Grain: one row a database.
SELECT
    (SELECT count(*) FROM span) AS spans,
    (SELECT count(DISTINCT trace_id) FROM span) AS traces,
    (SELECT count(DISTINCT trace_id) FROM request) AS request_traces,
    (SELECT count(*) FROM gold_case) AS gold_cases,
    (SELECT count(*) FROM corpus_snapshot) AS snapshots
