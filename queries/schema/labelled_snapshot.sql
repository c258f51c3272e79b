-- Which snapshot of the corpus each labelled request is held against.
-- Grain: one row a labelled request (request_id). `snapshot_id` is the one that the traffic names, else the default of its
-- newest labelling, else the newest that is loaded; '' where that snapshot is not loaded, as in required_evidence.
CREATE OR REPLACE VIEW labelled_snapshot AS
SELECT
    current_label.request_id,
    current_label.case_id,
    current_label.request_run_id,
    coalesce(corpus_snapshot.snapshot_id, '') AS snapshot_id
FROM current_label
JOIN request USING (request_id)
LEFT JOIN label_run ON label_run.run_id = current_label.run_id
LEFT JOIN (SELECT arg_max(snapshot_id, loaded_at) AS snapshot_id FROM corpus_snapshot) AS newest ON TRUE
LEFT JOIN corpus_snapshot
    ON corpus_snapshot.snapshot_id = coalesce(
        request.snapshot_id, label_run.config ->> 'default_snapshot', newest.snapshot_id
    );
