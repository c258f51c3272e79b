-- Forget the results of segments that are built anew.
-- Grain: one row of evaluation a result of these segments.
DELETE FROM evaluation WHERE segment_id IN (SELECT segment_id FROM building);
