-- The joined requests whose claims our rules have not looked at, or whose inputs have changed since.
-- Grain: one row a request that has an answer (request_id), numbered from 0.
-- Parameters: $judge, a digest of the rules' version; $default_snapshot, the snapshot of requests that name none.
WITH newest AS (
    SELECT request_id, arg_max(coalesce(value, FALSE), judged_at) AS refused
    FROM verdict
    WHERE source = 'rule' AND subject = 'refusal'
    GROUP BY request_id
),
input AS (
    SELECT
        request.request_id,
        joined_request.case_id,
        coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR)) AS snapshot_id,
        coalesce(newest.refused, FALSE) AS refused,
        md5(CAST(to_json(struct_pack(
            judge := CAST($judge AS VARCHAR),
            answer := md5(request.answer),
            query := request.query,
            prompt_ids := request.prompt_ids,
            prompt_text := md5(request.prompt_text),
            cited_ids := request.cited_ids,
            snapshot_id := corpus_snapshot.snapshot_id,
            loaded_at := corpus_snapshot.loaded_at,
            case_id := joined_request.case_id,
            gold_version := gold_case.gold_version,
            refused := newest.refused
        )) AS VARCHAR)) AS config
    FROM joined_request
    JOIN request ON request.request_id = joined_request.request_id
    JOIN gold_case ON gold_case.case_id = joined_request.case_id
    LEFT JOIN newest ON newest.request_id = request.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR))
    WHERE request.answer IS NOT NULL
)
SELECT
    row_number() OVER () - 1 AS number,
    input.request_id,
    input.case_id,
    input.snapshot_id,
    input.refused,
    input.config
FROM input
LEFT JOIN claim_check ON claim_check.request_id = input.request_id
WHERE claim_check.config IS DISTINCT FROM input.config;
