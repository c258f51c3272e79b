-- Write recovered prompt ids, from the view recovered (request_id, ids, shares, source).
-- Grain: one row of the relation target a request whose prompt was matched.
UPDATE target
SET
    prompt_ids = recovered.ids,
    prompt_shares = recovered.shares,
    assembly_source = recovered.source,
    missing = list_filter(target.missing, lambda field: field <> 'prompt_ids')
FROM recovered
WHERE recovered.request_id = target.request_id
