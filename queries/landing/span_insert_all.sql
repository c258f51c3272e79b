-- Store the spans of a load that brings new ones only, as most do: without a join, which would copy every text.
-- Grain: one row of span a row of the view landing_batch (the columns of span, and position).
INSERT INTO span BY NAME
SELECT landing_batch.* EXCLUDE (position)
FROM landing_batch;
