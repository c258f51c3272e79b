-- Traces to build anew because the ids of a ranking may be told by the texts of another corpus than before.
-- Grain: one row a trace (trace_id) with spans, dealt out in batches.
-- Parameters: $batch, traces a batch.
CREATE OR REPLACE TEMP TABLE waiting_trace AS
SELECT trace_id, (row_number() OVER () - 1) // $batch AS batch
FROM (
    SELECT DISTINCT request.trace_id
    FROM request
    JOIN held_ids ON held_ids.request_id = request.request_id
    SEMI JOIN span ON span.trace_id = request.trace_id
    WHERE held_ids.tellable OR held_ids.was_told
)
