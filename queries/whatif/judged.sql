-- The verdicts that still apply: those of requests whose prompt stays as it was.
-- Grain: one row a verdict, in the shape of the table verdict.
CREATE OR REPLACE TEMP VIEW judged AS
SELECT verdict.*
FROM verdict
SEMI JOIN (SELECT request_id FROM packed WHERE same_prompt) AS unchanged ON unchanged.request_id = verdict.request_id
