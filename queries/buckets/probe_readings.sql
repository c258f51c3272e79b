-- What probes mean: readings with how many cases share each, and what to try next.
-- Grain: one row a reading and the label that it refines, those that refine one first, the fullest first.
-- Columns: the reading, the label that it makes finer (NULL: it stands beside labels), cases, up to five of them, meaning,
-- the next experiment.
SELECT
    reading,
    refines,
    count(DISTINCT case_id) AS cases,
    any_value(meaning) AS meaning,
    any_value(next_experiment) AS next_experiment,
    list_slice(list(DISTINCT case_id ORDER BY case_id), 1, 5) AS examples
FROM probe_reading
GROUP BY reading, refines
ORDER BY refines IS NULL, cases DESC, reading;
