-- The requests as they would have been: k and prompt of `packed`, the recorded answer only where the prompt is the same.
-- Grain: one row a joined request, in the shape of the table request.
-- A changed prompt has no answer: what a generator would make of it is not known.
CREATE OR REPLACE TEMP VIEW subject AS
SELECT
    request.* REPLACE (
        packed.k AS k,
        packed.budget AS budget,
        packed.unit AS budget_unit,
        packed.prompt_ids AS prompt_ids,
        CASE WHEN packed.prompt_ids IS NULL THEN 'unknown' ELSE 'replayed' END AS assembly_source,
        CAST(NULL AS STRUCT(id VARCHAR, reason VARCHAR)[]) AS dropped,
        CASE WHEN packed.prompt_ids = request.prompt_ids THEN request.prompt_text END AS prompt_text,
        CASE WHEN packed.prompt_ids = request.prompt_ids THEN request.answer END AS answer,
        CASE WHEN packed.prompt_ids = request.prompt_ids THEN request.cited_ids END AS cited_ids,
        CASE WHEN packed.prompt_ids = request.prompt_ids THEN request.decision END AS decision
    )
FROM request
JOIN packed ON packed.request_id = request.request_id
