-- The requests as they would have been: k and prompt of `packed`, the recorded answer only where the prompt is the same.
-- Grain: one row a joined request, in the shape of the table request.
-- A changed prompt has no answer: what a generator would make of it is not known, not even that it fails.
-- Where k is beyond what was recorded, a hit without an id stands for what is ranked there: its absence proves nothing.
CREATE OR REPLACE TEMP VIEW subject AS
SELECT
    request.* REPLACE (
        CASE WHEN packed.beyond THEN list_append(request.ranked_ids, NULL) ELSE request.ranked_ids END AS ranked_ids,
        packed.k AS k,
        packed.budget AS budget,
        packed.unit AS budget_unit,
        packed.prompt_ids AS prompt_ids,
        CASE WHEN packed.same_prompt THEN request.prompt_shares END AS prompt_shares,
        CASE WHEN packed.as_recorded THEN request.assembly_source
            WHEN packed.prompt_ids IS NULL THEN 'unknown'
            ELSE 'replayed' END AS assembly_source,
        CASE WHEN packed.as_recorded THEN request.dropped END AS dropped,
        CASE WHEN packed.same_prompt THEN request.prompt_text END AS prompt_text,
        CASE WHEN packed.same_prompt THEN request.answer END AS answer,
        CASE WHEN packed.same_prompt THEN request.cited_ids END AS cited_ids,
        CASE WHEN packed.same_prompt THEN request.decision END AS decision,
        CASE WHEN packed.same_prompt OR request.error_stage NOT IN ('generation', 'request')
            THEN request.error_stage END AS error_stage
    )
FROM request
JOIN packed ON packed.request_id = request.request_id
