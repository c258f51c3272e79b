-- The different things to judge, numbered, so that equal answers are judged once and in batches.
-- Grain: one row a digest of the relation pending_verdict. Columns: number from 0, config, and the inputs.
SELECT
    row_number() OVER () - 1 AS number,
    config,
    any_value(answer) AS answer,
    any_value(decision) AS decision,
    any_value(finish_reasons) AS finish_reasons,
    any_value(CAST(answer_check AS VARCHAR)) AS answer_check
FROM pending_verdict
GROUP BY config;
