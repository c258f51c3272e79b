-- The request: query, rankings, prompt, answer, citations, decision, models, prompt template.
-- Grain: one row of request, or none.
-- Parameters: $request_id, the request.
SELECT * FROM request
WHERE request_id = CAST($request_id AS UUID)
