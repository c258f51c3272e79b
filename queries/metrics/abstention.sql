-- The two errors of abstention, which no average may hide: answering what has no answer, and declining what has one.
-- Grain: one row a run of the pipeline; run NULL where the traffic names none.
-- Columns:
--   unanswerable: labelled requests of cases that expect a refusal, of which it is known what the system did.
--   unjustified_answers, unjustified_answer_rate: those that were answered, and their share; NULL without any.
--   answerable: labelled requests of cases that expect an answer, of which it is known what the system did.
--   unnecessary_abstentions, unnecessary_abstention_rate: those that were declined, and their share; NULL without any.
--   abstentions_with_evidence: those of them whose evidence had all reached the prompt: the decision's own fault, and not
--     an honest consequence of evidence that was lost on the way.
--   undecided: requests of both kinds of which it is not known, or that ended in an error.
WITH refusal AS (
    SELECT request_id, value AS refused
    FROM trusted_verdict
    WHERE subject = 'refusal'
),
decided AS (
    SELECT
        current_label.request_run_id,
        current_label.label,
        gold_case.expect,
        CASE
            WHEN starts_with(current_label.label, 'error.') THEN NULL
            WHEN current_label.outcome = 'refused' THEN TRUE
            WHEN current_label.outcome IN ('correct', 'wrong')
            THEN gold_case.expect = 'refuse' AND current_label.outcome = 'correct'
            ELSE refusal.refused
        END AS refused
    FROM current_label
    JOIN gold_case USING (case_id)
    LEFT JOIN refusal USING (request_id)
    WHERE gold_case.expect IN ('answer', 'refuse')
)
SELECT
    request_run_id,
    count(*) FILTER (expect = 'refuse' AND refused IS NOT NULL) AS unanswerable,
    count(*) FILTER (expect = 'refuse' AND NOT refused) AS unjustified_answers,
    avg(CAST(NOT refused AS INTEGER)) FILTER (expect = 'refuse') AS unjustified_answer_rate,
    count(*) FILTER (expect = 'answer' AND refused IS NOT NULL) AS answerable,
    count(*) FILTER (expect = 'answer' AND refused) AS unnecessary_abstentions,
    avg(CAST(refused AS INTEGER)) FILTER (expect = 'answer') AS unnecessary_abstention_rate,
    count(*) FILTER (label = 'decision.refused_answerable') AS abstentions_with_evidence,
    count(*) FILTER (refused IS NULL) AS undecided
FROM decided
GROUP BY request_run_id
ORDER BY request_run_id NULLS LAST;
