-- What probes came to: each change of each case, over its repeats.
-- Grain: one row a request, generator and change, in the order in which changes are run.
-- Parameters:
--   $case_id: only this case; default: every case.
-- Columns: what was changed and in which step; how many runs, passes, fails, answers that could not be judged, runs without
-- an answer; how many answers the chunks say, and do not say, as far as that is known; the majority and how many agree with it; the chunks that the generator got; the first answer.
SELECT
    probe_result.case_id,
    current_label.label,
    probe_result.intervention,
    probe_result.step,
    probe_result.runs,
    probe_result.passes,
    probe_result.fails,
    probe_result.unjudged,
    probe_result.failures,
    probe_result.grounded,
    probe_result.ungrounded,
    probe_result.majority,
    probe_result.agreement,
    probe_result.chunk_ids,
    probe_result.answer,
    probe_result.generator
FROM probe_result
JOIN current_label ON current_label.request_id = probe_result.request_id
WHERE CAST($case_id AS VARCHAR) IS NULL OR probe_result.case_id = CAST($case_id AS VARCHAR)
ORDER BY
    probe_result.case_id,
    probe_result.generator_id,
    coalesce(list_position(
        ['original', 'gold_only', 'gold_first', 'gold_last', 'gold_middle', 'drop_required', 'no_support', 'closed_book',
            'distractors', 'shift_number', 'shift_date', 'contradiction'],
        probe_result.intervention
    ), 99),
    len(probe_result.step),
    probe_result.step;
