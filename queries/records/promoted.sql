-- A retriever that reranks what the one inside it found is a rerank.
-- Grain: changes a row of stage a row of nested.
UPDATE stage
SET kind = 'rerank'
FROM nested
WHERE stage.trace_id = nested.trace_id AND stage.span_id = nested.span_id
