-- The judges whose verdicts exist, with their agreement with people and with themselves.
-- Grain: one row a judge and subject (source, judge, prompt_version, subject), people left out.
-- Parameters: $others_only, leave out our own rules.
SELECT
    agreement.source,
    agreement.judge,
    agreement.prompt_version,
    agreement.subject,
    agreement.judged,
    agreement.compared,
    agreement.agreement,
    agreement.kappa,
    agreement.true_true,
    agreement.true_false,
    agreement.false_true,
    agreement.false_false,
    repeats.agreement AS repeat_agreement,
    agreement.below_floor
FROM judge_agreement AS agreement
LEFT JOIN repeat_agreement AS repeats
    ON repeats.source = agreement.source
    AND repeats.judge IS NOT DISTINCT FROM agreement.judge
    AND repeats.prompt_version IS NOT DISTINCT FROM agreement.prompt_version
    AND repeats.subject = agreement.subject
WHERE NOT $others_only OR agreement.source <> 'rule'
ORDER BY agreement.source, agreement.judge, agreement.prompt_version, agreement.subject;
