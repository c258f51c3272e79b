-- Write ids that were told by the texts of hits, from the view recovered.
-- Grain: one row of the relation target a request of which ids were told.
UPDATE target
SET
    ranked_ids = recovered.ranked_ids,
    candidate_ids = recovered.candidate_ids,
    prompt_ids = recovered.prompt_ids,
    cited_ids = recovered.cited_ids,
    dropped = recovered.dropped,
    id_source = recovered.source,
    missing = CASE
        WHEN recovered.source = 'text_match' THEN list_filter(target.missing, lambda word: word <> 'ids_not_chunks')
        ELSE target.missing
    END
FROM recovered
WHERE recovered.request_id = target.request_id
