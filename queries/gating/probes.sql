-- What probes of some requests came to, and what that means, for the report of a gate.
-- Grain: one row a request and generator that were probed (request_id, generator_id).
-- Columns: `results`, each change with its passes of its runs, in the order in which changes are run; `readings`, what
-- they mean and what to try next, NULL where nothing follows.
-- Parameters:
--   $request_ids: the requests.
WITH meaning AS (
    SELECT
        request_id,
        generator_id,
        string_agg(reading || ': ' || meaning || ' ' || next_experiment, ' ' ORDER BY place) AS readings
    FROM probe_reading
    GROUP BY request_id, generator_id
)
SELECT
    probe_result.case_id,
    probe_result.generator_id,
    string_agg(
        concat_ws(' ', probe_result.intervention, nullif(probe_result.step, ''))
        || ' ' || probe_result.passes || '/' || probe_result.runs,
        ', '
        ORDER BY coalesce(list_position(
            ['original', 'gold_only', 'gold_first', 'gold_last', 'gold_middle', 'drop_required', 'no_support',
                'closed_book', 'distractors', 'shift_number', 'shift_date', 'contradiction'],
            probe_result.intervention
        ), 99), probe_result.step
    ) AS results,
    any_value(meaning.readings) AS readings
FROM probe_result
LEFT JOIN meaning
    ON meaning.request_id = probe_result.request_id
    AND meaning.generator_id = probe_result.generator_id
WHERE list_contains(CAST($request_ids AS UUID[]), probe_result.request_id)
GROUP BY probe_result.case_id, probe_result.request_id, probe_result.generator_id
ORDER BY probe_result.case_id, probe_result.generator_id;
