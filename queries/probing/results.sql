-- What the probes of some requests came to, with what readings need of the requests.
-- Grain: one row a request, generator and change, in no order of changes.
-- Parameters: $request_ids, the requests; $default_snapshot, the snapshot of requests that name none.
WITH labelled AS (
    SELECT
        current_label.request_id,
        current_label.case_id,
        current_label.label,
        gold_case.expect,
        coalesce(corpus_snapshot.snapshot_id, '') AS snapshot_id
    FROM current_label
    JOIN gold_case ON gold_case.case_id = current_label.case_id
    JOIN request ON request.request_id = current_label.request_id
    LEFT JOIN corpus_snapshot
        ON corpus_snapshot.snapshot_id = coalesce(request.snapshot_id, CAST($default_snapshot AS VARCHAR))
),
required AS (
    SELECT snapshot_id, case_id, list(DISTINCT chunk_id) FILTER (chunk_id IS NOT NULL) AS required_ids
    FROM required_evidence
    GROUP BY snapshot_id, case_id
)
SELECT
    trace_hex(labelled.request_id) AS request_id,
    labelled.case_id,
    labelled.label,
    labelled.expect,
    coalesce(required.required_ids, CAST([] AS VARCHAR[])) AS required_ids,
    probe_result.* EXCLUDE (request_id, case_id)
FROM probe_result
JOIN labelled ON labelled.request_id = probe_result.request_id
LEFT JOIN required ON required.snapshot_id = labelled.snapshot_id AND required.case_id = labelled.case_id
WHERE
    CAST($request_ids AS VARCHAR[]) IS NULL
    OR list_contains(CAST($request_ids AS VARCHAR[]), trace_hex(labelled.request_id))
ORDER BY labelled.case_id, probe_result.generator_id, len(probe_result.step), probe_result.step
