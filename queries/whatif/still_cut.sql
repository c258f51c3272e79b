-- The claims of answers that still apply, as `still_judged` has the verdicts.
-- Grain: one row a claim of an answer, in the shape of the table answer_claim, temporary.
CREATE OR REPLACE TEMP TABLE still_cut AS
SELECT answer_claim.* REPLACE (tried.hypothetical_id AS request_id)
FROM answer_claim
JOIN tried ON tried.request_id = answer_claim.request_id
WHERE tried.same_prompt
