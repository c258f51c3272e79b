-- The requests to be probed, with all that interventions work on: the newest labelled request of each case.
-- Grain: one row a case (case_id).
-- Parameters: $case_ids, only these cases (NULL: all); $labels, only requests with one of these labels, or labels that begin
-- with one that ends in a point (NULL: all); $run_id, only requests of this run of the pipeline (NULL: all);
-- $default_snapshot, the snapshot of requests that name none.
-- `snapshot_id` is the snapshot in force where it is loaded, else ''. `required` holds the alternatives of each required
-- group; `search_ids` is the first-stage ranking where there is one, which reaches further down.
WITH newest AS (
    SELECT current_label.*
    FROM current_label
    WHERE
        (CAST($case_ids AS VARCHAR[]) IS NULL OR list_contains(CAST($case_ids AS VARCHAR[]), current_label.case_id))
        AND (CAST($run_id AS VARCHAR) IS NULL OR current_label.request_run_id = CAST($run_id AS VARCHAR))
    QUALIFY row_number() OVER (
        PARTITION BY current_label.case_id ORDER BY current_label.started_at DESC NULLS LAST, current_label.request_id
    ) = 1
),
wanted AS (
    SELECT
        newest.request_id,
        newest.case_id,
        newest.label,
        coalesce(corpus_snapshot.snapshot_id, '') AS snapshot_id
    FROM newest
    JOIN request ON request.request_id = newest.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR))
    WHERE
        CAST($labels AS VARCHAR[]) IS NULL
        OR list_contains(CAST($labels AS VARCHAR[]), newest.label)
        OR len(list_filter(
            CAST($labels AS VARCHAR[]), lambda one: ends_with(one, '.') AND starts_with(newest.label, one)
        )) > 0
),
grouped AS (
    SELECT
        wanted.case_id,
        required_evidence.group_no,
        coalesce(
            list(required_evidence.chunk_id ORDER BY required_evidence.member_no)
                FILTER (required_evidence.chunk_id IS NOT NULL),
            CAST([] AS VARCHAR[])
        ) AS alternatives
    FROM wanted
    JOIN required_evidence
        ON required_evidence.case_id = wanted.case_id AND required_evidence.snapshot_id = wanted.snapshot_id
    GROUP BY wanted.case_id, required_evidence.group_no
),
required AS (SELECT case_id, list(alternatives ORDER BY group_no) AS required FROM grouped GROUP BY case_id)
SELECT
    trace_hex(request.request_id) AS request_id,
    trace_hex(request.trace_id) AS trace_id,
    request.anchor_span_id,
    wanted.case_id,
    wanted.label,
    wanted.snapshot_id,
    coalesce(request.query, gold_case.query) AS question,
    request.prompt_ids,
    coalesce(request.ranked_ids, CAST([] AS VARCHAR[])) AS ranked_ids,
    coalesce(request.candidate_ids, request.ranked_ids, CAST([] AS VARCHAR[])) AS search_ids,
    request.answer,
    request.cited_ids,
    coalesce(required.required, CAST([] AS VARCHAR[][])) AS required,
    gold_case.expect,
    gold_case.answer_check,
    gold_case.claims
FROM wanted
JOIN request ON request.request_id = wanted.request_id
JOIN gold_case ON gold_case.case_id = wanted.case_id
LEFT JOIN required ON required.case_id = wanted.case_id
ORDER BY wanted.case_id
