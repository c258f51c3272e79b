-- What the probes of a request mean: of the generator that was probed last, and of the recorded answer.
-- Grain: one row a reading, in the order in which they are told.
-- Parameters: $request_id, the request.
SELECT reading, refines, meaning, evidence, next_experiment, generator_id
FROM probe_reading
WHERE request_id = CAST($request_id AS UUID)
QUALIFY
    generator_id = '(the recorded answer)'
    OR generator_id = first_value(generator_id)
        OVER (ORDER BY generator_id = '(the recorded answer)', probed_at DESC, generator_id)
ORDER BY generator_id = '(the recorded answer)', place, reading
