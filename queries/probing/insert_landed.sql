-- Make rows of the runs of probes whose spans have landed.
-- Grain: one row of probe a trace of probe_trace whose request span is there, and that has no row yet.
INSERT INTO probe BY NAME
WITH opened AS (
    SELECT
        span.trace_id,
        span.start_time,
        span.end_time,
        span.status_code = 2 AS failed,
        span.status_message,
        from_json(span.attributes, '{
            "ragfault.probe.id": "VARCHAR",
            "ragfault.probe.run_id": "VARCHAR",
            "ragfault.probe.request_id": "VARCHAR",
            "ragfault.probe.intervention": "VARCHAR",
            "ragfault.probe.step": "VARCHAR",
            "ragfault.probe.repeat": "UINTEGER",
            "ragfault.probe.seed": "BIGINT",
            "ragfault.probe.generator": "VARCHAR",
            "ragfault.probe.generator_id": "VARCHAR",
            "ragfault.probe.chunks": "VARCHAR",
            "ragfault.probe.changed": "VARCHAR",
            "ragfault.probe.planted": "VARCHAR",
            "ragfault.probe.replaced": "VARCHAR",
            "ragfault.probe.failure": "VARCHAR",
            "ragfault.case_id": "VARCHAR",
            "ragfault.citations": "VARCHAR",
            "ragfault.decision": "VARCHAR",
            "gen_ai.input.messages": "VARCHAR",
            "gen_ai.output.messages": "VARCHAR"
        }') AS a
    FROM span
    SEMI JOIN probe_trace ON probe_trace.trace_id = span.trace_id
    ANTI JOIN probe ON probe.trace_id = span.trace_id
    WHERE span.stage = 'request'
)
SELECT
    trace_id,
    a."ragfault.probe.id" AS probe_id,
    a."ragfault.probe.run_id" AS probe_run_id,
    a."ragfault.case_id" AS case_id,
    try_cast(a."ragfault.probe.request_id" AS UUID) AS request_id,
    coalesce(a."ragfault.probe.intervention", 'unknown') AS intervention,
    coalesce(a."ragfault.probe.step", '') AS step,
    coalesce(a."ragfault.probe.repeat", 1) AS repeat_no,
    last_message_text(parsed_messages(a."gen_ai.input.messages"), ['user', 'human']) AS question,
    CASE WHEN json_valid(a."ragfault.probe.chunks")
        THEN from_json(a."ragfault.probe.chunks", '[{"id": "VARCHAR", "text": "VARCHAR"}]') END AS chunks,
    a."ragfault.probe.changed" AS changed,
    a."ragfault.probe.planted" AS planted,
    a."ragfault.probe.replaced" AS replaced,
    a."ragfault.probe.generator" AS generator,
    a."ragfault.probe.generator_id" AS generator_id,
    a."ragfault.probe.seed" AS seed,
    message_text(parsed_messages(a."gen_ai.output.messages")) AS answer,
    CASE WHEN json_valid(a."ragfault.citations") THEN from_json(a."ragfault.citations", '["VARCHAR"]') END AS cited_ids,
    decision_word(a."ragfault.decision") AS decision,
    coalesce(a."ragfault.probe.failure", CASE WHEN failed THEN 'raised' END) AS failure,
    -- The status begins with the name of the exception by which our own span ended; the reason is what follows.
    CASE WHEN failed THEN CASE
        WHEN a."ragfault.probe.failure" IS NULL THEN status_message
        ELSE regexp_replace(status_message, '^[\w.]*NoAnswerError: ', '')
    END END AS error,
    epoch_us(CAST(end_time AS TIMESTAMP)) / 1e6 - epoch_us(CAST(start_time AS TIMESTAMP)) / 1e6 AS seconds,
    CAST(start_time AS TIMESTAMP) AS started_at
FROM opened
WHERE a."ragfault.probe.id" IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY trace_id ORDER BY start_time, end_time) = 1
