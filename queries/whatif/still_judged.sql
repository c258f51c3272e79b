-- The verdicts that still apply: those of requests whose prompt stays as it was. Answers to other prompts are judged anew,
-- into this table, which takes the place of the recorded verdicts meanwhile.
-- Grain: one row a verdict, in the shape of the table verdict, temporary.
CREATE OR REPLACE TEMP TABLE still_judged AS
SELECT verdict.* REPLACE (tried.hypothetical_id AS request_id)
FROM verdict
JOIN tried ON tried.request_id = verdict.request_id
WHERE tried.same_prompt
