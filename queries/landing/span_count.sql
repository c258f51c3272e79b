-- How many spans each segment of a load brought that were new.
-- Grain: one row a segment with new spans.
SELECT segment_id, count(*) AS spans
FROM landing_batch
SEMI JOIN fresh_span USING (position)
GROUP BY segment_id;
