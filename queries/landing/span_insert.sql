-- Store the new spans of a load.
-- Grain: one row of span a row of fresh_span, taken from the view landing_batch (the columns of span, and position).
INSERT INTO span BY NAME
SELECT landing_batch.* EXCLUDE (position)
FROM landing_batch
SEMI JOIN fresh_span USING (position);
