-- What the database holds beside requests. Spans of probes are none of the pipeline.
-- Grain: one row a database.
SELECT
    (SELECT count(*) FROM span ANTI JOIN probe ON probe.trace_id = span.trace_id) AS spans,
    (SELECT count(DISTINCT span.trace_id) FROM span ANTI JOIN probe ON probe.trace_id = span.trace_id) AS traces,
    (SELECT count(DISTINCT trace_id) FROM request) AS request_traces,
    (SELECT count(*) FROM gold_case) AS gold_cases,
    (SELECT count(*) FROM corpus_snapshot) AS snapshots
