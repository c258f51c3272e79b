-- The verdicts that still apply: those of requests whose prompt stays as it was.
-- Grain: one row a verdict, in the shape of the table verdict.
CREATE OR REPLACE TEMP VIEW judged AS
SELECT verdict.*
FROM verdict
SEMI JOIN (
    SELECT request.request_id
    FROM request
    JOIN packed ON packed.request_id = request.request_id
    WHERE packed.prompt_ids = request.prompt_ids
) AS unchanged ON unchanged.request_id = verdict.request_id
