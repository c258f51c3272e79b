-- How far each judge agrees with people, on what both have judged.
-- Grain: one row a judge and subject (source, judge, prompt_version, subject). A judge that shares nothing with people has
-- `compared` 0 and NULLs. The four counts name first what people say, then what the judge says.
-- Cohen's kappa is the agreement beyond chance, over the most that is possible beyond it; NULL where people and the judge
-- both know one answer only, because chance agrees as well there.
CREATE OR REPLACE VIEW judge_agreement AS
WITH people AS (
    SELECT request_id, subject, target, claim_id, value
    FROM source_opinion
    WHERE source = 'human' AND value IS NOT NULL
),
counted AS (
    SELECT
        said.source,
        said.judge,
        said.prompt_version,
        said.subject,
        count(*) AS judged,
        count(*) FILTER (said.value IS NULL) AS undecided,
        count(*) FILTER (people.value AND said.value) AS true_true,
        count(*) FILTER (people.value AND NOT said.value) AS true_false,
        count(*) FILTER (NOT people.value AND said.value) AS false_true,
        count(*) FILTER (NOT people.value AND NOT said.value) AS false_false
    FROM judge_opinion AS said
    LEFT JOIN people
        ON people.request_id = said.request_id
        AND people.subject = said.subject
        AND people.target IS NOT DISTINCT FROM said.target
        AND people.claim_id IS NOT DISTINCT FROM said.claim_id
    WHERE said.source <> 'human'
    GROUP BY said.source, said.judge, said.prompt_version, said.subject
),
measured AS (
    SELECT
        *,
        true_true + true_false + false_true + false_false AS compared,
        true_true + false_false AS agreed,
        (
            (true_true + true_false) * (true_true + false_true)
            + (false_true + false_false) * (true_false + false_false)
        ) AS by_chance
    FROM counted
),
rated AS (
    SELECT
        *,
        agreed / nullif(compared, 0) AS agreement,
        (agreed * compared - by_chance) / nullif(compared * compared - by_chance, 0) AS kappa
    FROM measured
),
policy AS (
    SELECT coalesce(max(agreement_floor), 0.8) AS agreement_floor, max(kappa_floor) AS kappa_floor
    FROM judging_policy
)
SELECT
    rated.source,
    rated.judge,
    rated.prompt_version,
    rated.subject,
    rated.judged,
    rated.undecided,
    rated.compared,
    rated.agreed,
    rated.agreement,
    rated.kappa,
    rated.true_true,
    rated.true_false,
    rated.false_true,
    rated.false_false,
    rated.agreement < policy.agreement_floor OR coalesce(rated.kappa < policy.kappa_floor, FALSE) AS below_floor
FROM rated
CROSS JOIN policy
ORDER BY rated.source, rated.judge, rated.prompt_version, rated.subject;
