-- What requests can be compared by: each dimension of a labelled request, with its value.
-- Grain: one row a value of a dimension of a request (request_id, dimension, value); a case with two tags has two rows.
-- Dimensions: all (one group), run (of the pipeline), tag (of the case), prompt_version (with the name of the prompt),
-- retriever (the data sources that the trace names while the request lasts, else the service), service, snapshot, and
-- day (UTC). `value` is NULL where the traffic or the case does not name it.
CREATE OR REPLACE VIEW request_group AS
SELECT request_id, 'all' AS dimension, 'all' AS value
FROM current_label
UNION ALL
SELECT request_id, 'run', request_run_id
FROM current_label
UNION ALL
SELECT
    current_label.request_id,
    'tag',
    unnest(CASE WHEN len(gold_case.tags) > 0 THEN list_distinct(gold_case.tags) ELSE [NULL] END)
FROM current_label
JOIN gold_case USING (case_id)
UNION ALL
SELECT request_id, 'prompt_version', nullif(concat_ws(' ', request.prompt_name, request.prompt_version), '')
FROM current_label
JOIN request USING (request_id)
UNION ALL
SELECT current_label.request_id, 'retriever', coalesce(searched.sources, current_label.service)
FROM current_label
LEFT JOIN (
    SELECT
        request.request_id,
        string_agg(DISTINCT source.data_source, ' + ' ORDER BY source.data_source) AS sources
    FROM request
    JOIN (
        SELECT
            trace_id,
            CAST(start_time AS TIMESTAMP) AS started_at,
            attributes ->> '$."gen_ai.data_source.id"' AS data_source
        FROM span
        WHERE contains(CAST(attributes AS VARCHAR), '"gen_ai.data_source.id"')
    ) AS source
        ON source.trace_id = request.trace_id
        AND source.started_at BETWEEN request.started_at AND request.ended_at
    GROUP BY request.request_id
) AS searched USING (request_id)
UNION ALL
SELECT request_id, 'service', service
FROM current_label
UNION ALL
SELECT request_id, 'snapshot', request.snapshot_id
FROM current_label
JOIN request USING (request_id)
UNION ALL
SELECT request_id, 'day', CAST(CAST(started_at AS DATE) AS VARCHAR)
FROM current_label;
