-- The spans that open a request, where no trace has more than one request span: all of them.
-- Grain: one row a request span (trace_id, span_id), in the shape of anchor.
CREATE OR REPLACE TEMP TABLE anchor AS
SELECT trace_id, span_id
FROM stage
WHERE kind = 'request'
