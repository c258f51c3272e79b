-- Count what a load brought that cannot be stored.
-- Grain: one row of rejected_span a row of the view landing_rejected, which has its columns.
INSERT INTO rejected_span BY NAME
FROM landing_rejected;
