-- Labels of each service and run of the pipeline side by side: which of them loses what.
-- Grain: one row a label of a (service, request_run_id); NULL where the traffic does not name it.
-- `share` is the part of that service and run, so that runs of different sizes compare.
SELECT
    service,
    request_run_id,
    label,
    count(*) AS requests,
    count(*) / sum(count(*)) OVER (PARTITION BY service, request_run_id) AS share
FROM current_label
GROUP BY service, request_run_id, label
ORDER BY service NULLS LAST, request_run_id NULLS LAST, requests DESC, label;
