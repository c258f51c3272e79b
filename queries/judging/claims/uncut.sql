-- The answers of the relation to_be_cut that this extractor has not cut into claims yet, that have changed since, or whose
-- citations were not looked at for whether they lead anywhere. `complete`: the prompt ids are all that was shown.
-- Grain: one row a request (request_id).
-- Parameters: $version, of the extractor.
SELECT
    request.request_id,
    request.answer,
    request.prompt_ids,
    request.assembly_source = 'explicit' AND len(request.prompt_ids) = list_count(request.prompt_ids) AS complete,
    md5(request.answer) AS answer_digest
FROM request
SEMI JOIN to_be_cut ON to_be_cut.request_id = request.request_id
LEFT JOIN (
    SELECT request_id, CASE WHEN count(*) = count(astray) THEN any_value(answer_digest) END AS answer_digest
    FROM answer_claim
    WHERE extractor_version = $version
    GROUP BY request_id
) AS cut ON cut.request_id = request.request_id
WHERE request.answer IS NOT NULL AND cut.answer_digest IS DISTINCT FROM md5(request.answer);
