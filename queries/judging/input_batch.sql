-- One batch of the different things to judge.
-- Grain: one row a digest of the relation judge_input.
-- Parameters: $first and $last, the numbers of the batch, both included.
SELECT config, answer, decision, finish_reasons, answer_check
FROM judge_input
WHERE number BETWEEN $first AND $last;
