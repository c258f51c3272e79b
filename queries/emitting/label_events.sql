-- The newest label of some requests, as events that are to be sent to a destination.
-- Grain: one row a label that was not sent there yet (event_id).
-- Parameters: $requests, ids of the requests; $labelling, the labelling whose labels are sent, NULL for the newest of each
-- request; $destination.
-- A labelling that says what the one before said is no news: the event is that of the first labelling since the last change,
-- so that labelling every night sends nothing twice.
WITH wanted AS (
    SELECT unnest(CAST($requests AS UUID[])) AS request_id
),
history AS (
    SELECT
        label.*,
        md5(CAST(
            to_json([
                label.label, label.outcome, CAST(label.latent AS VARCHAR), CAST(label.retrieved AS VARCHAR),
                CAST(label.grounded AS VARCHAR), CAST(label.correct AS VARCHAR), CAST(label.cited AS VARCHAR),
                CAST(label.detail AS VARCHAR)
            ]) AS VARCHAR
        )) AS content
    FROM label
    SEMI JOIN wanted ON wanted.request_id = label.request_id
    WHERE $labelling IS NULL OR label.run_id <= $labelling
),
newest AS (
    SELECT *
    FROM history
    QUALIFY row_number() OVER (PARTITION BY request_id ORDER BY run_id DESC) = 1
),
changed AS (
    SELECT newest.request_id, max(history.run_id) AS run_id
    FROM newest
    JOIN history ON history.request_id = newest.request_id AND history.content <> newest.content
    GROUP BY newest.request_id
),
begun AS (
    SELECT history.request_id, min(history.run_id) AS run_id
    FROM history
    LEFT JOIN changed ON changed.request_id = history.request_id
    WHERE history.run_id > coalesce(changed.run_id, '')
    GROUP BY history.request_id
),
event AS (
    SELECT
        newest.*,
        begun.run_id AS labelling_id,
        md5(CAST(to_json([CAST(newest.request_id AS VARCHAR), begun.run_id, newest.content]) AS VARCHAR)) AS event_id
    FROM newest
    JOIN begun ON begun.request_id = newest.request_id
    WHERE $labelling IS NULL OR newest.run_id = $labelling
),
root AS (
    SELECT
        request.request_id,
        arg_min(span.span_id, struct_pack(inner_span := span.parent_span_id IS NOT NULL, at := span.start_time)) AS span_id
    FROM request
    SEMI JOIN wanted ON wanted.request_id = request.request_id
    JOIN span ON span.trace_id = request.trace_id
    WHERE request.anchor_span_id IS NULL
    GROUP BY request.request_id
)
SELECT
    event.event_id,
    CAST(event.request_id AS VARCHAR) AS request_id,
    request.trace_id,
    coalesce(request.anchor_span_id, root.span_id) AS span_id,
    label_run.started_at AS at,
    request.response_id,
    event.case_id,
    event.labelling_id,
    event.label,
    event.boundary,
    event.outcome,
    event.latent,
    CAST(event.detail AS VARCHAR) AS detail
FROM event
JOIN request ON request.request_id = event.request_id
LEFT JOIN root ON root.request_id = event.request_id
LEFT JOIN label_run ON label_run.run_id = event.labelling_id
ANTI JOIN emitted ON emitted.event_id = event.event_id AND emitted.destination = $destination
ORDER BY request.started_at, event.event_id;
