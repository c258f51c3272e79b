-- Write recovered citations, from the view recovered (request_id, ids, unmapped).
-- Grain: one row of the relation target a request whose answer cites.
UPDATE target
SET
    cited_ids = recovered.ids,
    unmapped_citations = recovered.unmapped,
    missing = list_filter(target.missing, lambda field: field <> 'citations')
FROM recovered
WHERE recovered.request_id = target.request_id
