-- Enter a landed segment in the ledger. One that brought no new span, and neither messages nor evaluations in log
-- records, leaves nothing to build.
-- Grain: one row of segment.
-- Parameters: segment_id, source, spans, duplicates, logs, rejected, landed_at.
INSERT INTO segment BY NAME
SELECT
    CAST($segment_id AS UUID) AS segment_id,
    $source AS source,
    $spans AS spans,
    $duplicates AS duplicates,
    $logs AS logs,
    $rejected AS rejected,
    $landed_at AS landed_at,
    $spans = 0 AND ($logs = 0 OR NOT EXISTS (
        FROM log_record
        WHERE
            segment_id = CAST($segment_id AS UUID)
            AND regexp_full_match(
                event_name,
                'gen_ai\.((system|user|assistant|tool)\.message|choice|evaluation\.result|client\.inference\.operation\.details)'
            )
    )) AS built;
