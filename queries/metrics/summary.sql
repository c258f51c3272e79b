-- What users got: the four propositions counted, never collapsed into one number.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   requests: requests with a label; cases: gold cases among them; with_gold: requests that require evidence.
--   correct, wrong, refused, unjudged: outcomes; a refusal that gold expects is correct, not refused.
--   answered: requests with an answer that is known to be neither a refusal nor a question back.
--   grounded: the shown chunks say what the answer says.
--   answered_grounded, answered_correct: answered, and grounded or of a correct outcome.
--   latent: correct in spite of a fault on the way.
WITH kind AS (
    SELECT
        request_id,
        bool_or(value) FILTER (subject = 'refusal') AS refusal,
        bool_or(value) FILTER (subject = 'clarification') AS clarification
    FROM trusted_verdict
    WHERE subject IN ('refusal', 'clarification') AND target IS NULL
    GROUP BY request_id
),
labelled AS (
    SELECT
        current_label.*,
        current_label.case_id IN (SELECT case_id FROM gold_evidence) AS requires_evidence,
        coalesce(kind.refusal = FALSE AND NOT coalesce(kind.clarification, FALSE), FALSE) AS is_answer
    FROM current_label
    LEFT JOIN kind USING (request_id)
)
SELECT
    request_run_id,
    count(*) AS requests,
    count(DISTINCT case_id) AS cases,
    count(*) FILTER (requires_evidence) AS with_gold,
    count(*) FILTER (outcome = 'correct') AS correct,
    count(*) FILTER (outcome = 'wrong') AS wrong,
    count(*) FILTER (outcome = 'refused') AS refused,
    count(*) FILTER (outcome = 'unjudged') AS unjudged,
    count(*) FILTER (is_answer) AS answered,
    count(*) FILTER (grounded) AS grounded,
    count(*) FILTER (is_answer AND grounded) AS answered_grounded,
    count(*) FILTER (is_answer AND outcome = 'correct') AS answered_correct,
    count(*) FILTER (latent) AS latent
FROM labelled
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
